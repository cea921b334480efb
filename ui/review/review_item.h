// One open item as the list of reviews gives it, how its kind looks, and which of two is worse. The
// order is the product's: harm first, then age, because what waits longest at the top of a list is
// what a person should look at next.
#pragma once

#include "model/time.h"
#include "ui/style/theme.h"

#include <QJsonObject>
#include <QString>
#include <QVector>

namespace holdfast::review
{

struct KindLook {
    QString kind; // as the engine writes it
    QString shape;
    QString word;
    QString many; // for a tab
    style::Token token = style::Token::text;
};
// An unknown kind is shown as it is, with a question mark for a shape.
KindLook kindLook(const QString &kind);
const QVector<KindLook> &kindLooks(); // from the most harmful to the least

struct Item {
    QString id;
    QString kind;
    QString runId;
    QString step;
    QString direction;
    QString workflow;
    QString dependency;
    QString key;
    QString effect;
    qint64 version = -1; // what a decision on it is bound to
    model::Instant openedAt = model::never;
    model::Instant expiresAt = model::never;
    QString claimedBy;
    model::Instant claimedUntil = model::never;
    model::Instant snoozedUntil = model::never;

    static Item fromJson(const QJsonObject &json);
    const QString &rowId() const { return id; }
    bool operator==(const Item &) const = default;

    bool isSnoozed(model::Instant now) const { return snoozedUntil > now; }
    // Empty when nobody holds it, or no longer.
    QString claimant(model::Instant now) const
    {
        return claimedUntil > now ? claimedBy : QString();
    }
    QString what() const; // "charge", "compensation of charge", "dependency stripe"
};

bool isWorse(const Item &a, const Item &b);

struct ItemFilter {
    QString kind; // empty: all
    bool onlyMine = false;
    bool withSnoozed = false;
};
// What the filter lets through, worst first.
QVector<Item> arranged(const QVector<Item> &items, const ItemFilter &filter, const QString &actor,
                       model::Instant now);

} // namespace holdfast::review
