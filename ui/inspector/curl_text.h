// A request as a command that a person can paste into a shell. Every word is quoted, so nothing
// that came from outside can become a command of its own; secrets are stars.
#pragma once

#include <QJsonObject>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::inspector
{

// What the deployed dependency adds to a request.
struct Outgoing {
    QString url; // its origin
    QString keyHeader = QStringLiteral("Idempotency-Key");
    QVector<QPair<QString, QString>> headers; // secrets already stars

    // From one item of the door's "dependencies" with its source.
    static Outgoing of(const QJsonObject &dependency);
};

QString shellQuoted(const QString &text);
// `request` as the door shows it; a command line becomes that command.
QString curlText(const QJsonObject &request, const Outgoing &outgoing, const QString &key);
// The same request to read: first line, headers, body.
QString requestText(const QJsonObject &request, const Outgoing &outgoing, const QString &key);
// JSON with line breaks; anything else as it is.
QString prettyText(const QString &text);

} // namespace holdfast::inspector
