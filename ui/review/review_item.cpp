#include "ui/review/review_item.h"

#include "ui/widgets/times.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

const QVector<KindLook> &kindLooks()
{
    static const QVector<KindLook> looks{
        {u"compensation_failed"_s, u"▲"_s, u"Compensation failed"_s, u"Compensation failed"_s,
         Token::bad},
        {u"ambiguous"_s, u"◆"_s, u"Ambiguous"_s, u"Ambiguous"_s, Token::attention},
        {u"approval"_s, u"☑"_s, u"Approval"_s, u"Approvals"_s, Token::busy},
        {u"conflict"_s, u"≠"_s, u"Conflict"_s, u"Conflicts"_s, Token::undoing},
        {u"dead_letter"_s, u"✖"_s, u"Dead letter"_s, u"Dead letters"_s, Token::bad},
        {u"tripwire"_s, u"⚑"_s, u"Tripwire"_s, u"Tripwires"_s, Token::attention},
    };
    return looks;
}

KindLook kindLook(const QString &kind)
{
    for (const KindLook &look : kindLooks()) {
        if (look.kind == kind)
            return look;
    }
    return {kind, u"?"_s, kind.left(40), kind.left(40), Token::text};
}

Item Item::fromJson(const QJsonObject &json)
{
    const auto text = [&](QLatin1String name) { return json.value(name).toString(); };
    const QJsonObject evidence = json.value("evidence"_L1).toObject();
    Item item;
    item.id = text("id"_L1);
    item.kind = text("kind"_L1);
    item.runId = text("run_id"_L1);
    item.step = text("step"_L1);
    item.direction = text("direction"_L1);
    item.workflow = text("workflow"_L1);
    item.dependency = text("dependency"_L1);
    item.key = evidence.value("key"_L1).toString();
    item.effect = evidence.value("effect"_L1).toString();
    item.version = json.value("version"_L1).toInteger(-1);
    item.openedAt = widgets::instantOf(json.value("opened_at"_L1));
    item.expiresAt = widgets::instantOf(json.value("expires_at"_L1));
    item.claimedBy = text("claimed_by"_L1);
    item.claimedUntil = widgets::instantOf(json.value("claimed_until"_L1));
    item.snoozedUntil = widgets::instantOf(json.value("snoozed_until"_L1));
    return item;
}

QString Item::what() const
{
    if (!step.isEmpty())
        return direction == "compensate"_L1 ? u"compensation of %1"_s.arg(step) : step;
    if (!workflow.isEmpty())
        return workflow;
    return dependency.isEmpty() ? id : u"dependency %1"_s.arg(dependency);
}

namespace
{
// An ambiguous read harms nobody; everything else goes by its kind.
int harmRank(const Item &item)
{
    const auto &looks = kindLooks();
    for (int rank = 0; rank < looks.size(); ++rank) {
        if (looks.at(rank).kind != item.kind)
            continue;
        const bool isRead = item.kind == "ambiguous"_L1 && item.effect == "read"_L1;
        return isRead ? int(looks.size()) * 2 - 1
                      : rank * 2 + (item.effect == "destructive"_L1 ? 0 : 1);
    }
    return std::numeric_limits<int>::max();
}

auto orderOf(const Item &item)
{
    const bool isDated = item.kind == "approval"_L1 && item.expiresAt != model::never;
    const int rank = item.kind == "approval"_L1 ? harmRank(item) | 1 : harmRank(item);
    return std::make_tuple(rank,
                           isDated ? item.expiresAt : std::numeric_limits<model::Instant>::max(),
                           item.openedAt, item.id);
}
} // namespace

bool isWorse(const Item &a, const Item &b) { return orderOf(a) < orderOf(b); }

QVector<Item> arranged(const QVector<Item> &items, const ItemFilter &filter, const QString &actor,
                       model::Instant now)
{
    QVector<Item> shown;
    std::copy_if(items.begin(), items.end(), std::back_inserter(shown), [&](const Item &item) {
        return (filter.kind.isEmpty() || item.kind == filter.kind) &&
               (!filter.onlyMine || item.claimant(now) == actor) &&
               (filter.withSnoozed || !item.isSnoozed(now));
    });
    std::sort(shown.begin(), shown.end(), isWorse);
    return shown;
}

} // namespace holdfast::review
