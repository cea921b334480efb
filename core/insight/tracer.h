// What a commit says, as spans of OpenTelemetry (OTLP, JSON): a run that ended is the root, every
// attempt that ended is a client span below it, and what was decided on the way are events. Nothing
// is kept from one commit to the next but the addresses of questions under way, so that whoever
// takes a run over tells the rest of it under the same ids. What was decided while no attempt or
// run ended gets a span of no length.
#pragma once

#include "ports/telemetry.h"

#include <QHash>
#include <functional>

namespace holdfast::insight
{

class Tracer
{
public:
    static constexpr qsizetype askedMax = 10'000;

    // The origin of a dependency in a revision; empty where it has none.
    using OriginOf = std::function<QString(const QString &dependency, int revision)>;

    explicit Tracer(OriginOf originOf) : m_originOf(std::move(originOf)) {}

    // What a verify and a snapshot ask is not part of the run's state.
    void sending(const model::Call &call);
    // Each a JSON object. None for a run whose caller does not sample it.
    QVector<QByteArray> spans(const ports::Committed &committed);

private:
    QJsonObject attemptSpan(const ports::Committed &committed, const model::Entry &entry);
    void addRequest(QJsonArray &attributes, const model::Request &request, const QString &origin,
                    const QString &key) const;

    const OriginOf m_originOf;
    QHash<QString, model::Request> m_asked; // by span id
};

// One export request.
QByteArray exportRequest(const QString &worker, const QString &programVersion,
                         const QVector<QByteArray> &spans);

// Values of a query are left out, and so is the key wherever it stands in the path.
QString redactedUrl(const QString &origin, const QString &path, const QString &key);

} // namespace holdfast::insight
