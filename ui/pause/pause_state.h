// A pause as the door gives it, and the words for it that every part of the switch shares.
#pragma once

#include "model/time.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::pause
{

struct PauseScope {
    QString scope = QStringLiteral("all"); // all, workflow, dependency
    QString target;
};

// What a lifted pause lets through, stage by stage.
struct Ramp {
    int stage = 0;
    QStringList stages;
    int admitted = 0;
    QString state; // ramping, holding, repaused; empty: there is no ramp
    QString note;  // why it was stopped

    bool operator==(const Ramp &) const = default;
};

struct PauseState {
    QString id;
    QString scope;
    QString target;
    QString depth;
    QString reason;
    QString actor;
    model::Instant at = model::never;
    int inFlight = 0;
    int held = 0;
    int startedSince = -1; // -1: not known yet
    Ramp ramp;
    model::Instant liftedAt = model::never;
    QString liftedBy;
    QString liftedReason;

    static PauseState fromJson(const QJsonObject &json);
    bool isInForce() const { return liftedAt == model::never; }
    const QString &rowId() const { return id; }
    bool operator==(const PauseState &) const = default;
};

QVector<PauseState> pausesFrom(const QJsonValue &list);

// "everything", "workflow billing", "dependency stripe".
QString scopeText(const QString &scope, const QString &target);
// What is stopped: "all writes", "everything to stripe", "new runs of billing".
QString gateText(const PauseState &pause);
// What a person types to say that they know what they resume.
QString confirmWord(const PauseState &pause);
// "1 held", "41 held".
QString countText(int count, const QString &one, const QString &many);

struct DepthText {
    QString depth;
    QString title;
    QString sentence;
};
const QVector<DepthText> &depthTexts(); // the default first

} // namespace holdfast::pause
