#include "ui/review/review_model.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using widgets::plainText;

void ReviewModel::setMoment(model::Instant now, const QString &actor)
{
    m_now = now;
    m_actor = actor;
    repaintAll();
}

void ReviewModel::setPending(const QMap<QString, QString> &pending)
{
    if (m_pending == pending)
        return;
    m_pending = pending;
    repaintAll();
}

QString ReviewModel::ageOf(const Item &item) const
{
    const bool isFresh = m_now - item.openedAt < model::second;
    return isFresh ? u"now"_s : widgets::ageText(item.openedAt, m_now);
}

int ReviewModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : 1; }

QString ReviewModel::detailOf(const Item &item) const
{
    QStringList parts{kindLook(item.kind).word};
    if (!item.workflow.isEmpty() && item.workflow != item.what())
        parts << item.workflow;
    parts << (item.key.isEmpty() ? item.runId : item.key);
    parts.removeAll(QString());
    return plainText(parts.join(u" · "_s));
}

QString ReviewModel::stateOf(const Item &item) const
{
    if (const QString pending = m_pending.value(item.id); !pending.isEmpty())
        return pending;
    if (item.isSnoozed(m_now))
        return u"snoozed until %1"_s.arg(widgets::shortTime(item.snoozedUntil));
    if (item.expiresAt != model::never)
        return item.expiresAt <= m_now ? u"expired"_s
                                       : u"due %1"_s.arg(widgets::ageText(item.expiresAt, m_now));
    const QString claimant = item.claimant(m_now);
    if (claimant.isEmpty())
        return {};
    return claimant == m_actor ? u"yours"_s : u"with %1"_s.arg(plainText(claimant, 20));
}

QVariant ReviewModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Item &item = rows().at(index.row());
    const KindLook look = kindLook(item.kind);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return u"%1, %2, age %3%4"_s.arg(plainText(item.what()), detailOf(item), ageOf(item),
                                         stateOf(item).isEmpty() ? QString()
                                                                 : u", "_s + stateOf(item));
    case Qt::ToolTipRole:
        return u"%1\n%2\nOpened %3"_s
            .arg(plainText(item.what()), detailOf(item), widgets::fullTime(item.openedAt))
            .toHtmlEscaped()
            .replace(u'\n', u"<br>"_s);
    case idRole: return item.id;
    case shapeRole: return look.shape;
    case tokenRole: return int(look.token);
    case whatRole: return plainText(item.what());
    case ageRole: return ageOf(item);
    case detailRole: return detailOf(item);
    case stateRole: return stateOf(item);
    case urgentRole: return m_pending.contains(item.id) || item.expiresAt != model::never;
    default: return {};
    }
}

} // namespace holdfast::review
