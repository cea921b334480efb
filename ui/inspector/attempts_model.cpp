#include "ui/inspector/attempts_model.h"

#include "ui/inspector/attempt_look.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QTextDocument>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using widgets::plainText;

void AttemptsModel::setNow(model::Instant now)
{
    m_now = now;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, took), index(rowCount() - 1, took), {Qt::DisplayRole});
}

int AttemptsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QString AttemptsModel::textOf(const AttemptStory &attempt, int column) const
{
    switch (Column(column)) {
    case step: return plainText(attempt.step);
    case what: return u"%1 %2"_s.arg(attempt.directionWord()).arg(attempt.number);
    case outcome: {
        QString text = attemptLook(attempt).text();
        if (!attempt.reason.isEmpty() && attempt.reason != "ok"_L1)
            text += u": "_s + plainText(attempt.reason);
        return attempt.status > 0 ? text + u" (%1)"_s.arg(attempt.status) : text;
    }
    case took: return attempt.tookText(m_now);
    case began: return widgets::shortTime(attempt.startedAt);
    case columnTotal: break;
    }
    return {};
}

QVariant AttemptsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AttemptStory &attempt = rows().at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(attempt, index.column());
    case Qt::ToolTipRole: {
        const QString tip = index.column() == began     ? widgets::fullTime(attempt.startedAt)
                            : index.column() == outcome ? plainText(attempt.why)
                                                        : textOf(attempt, index.column());
        return tip.isEmpty() ? QVariant() : Qt::convertFromPlainText(tip);
    }
    case Qt::ForegroundRole:
        return index.column() == outcome
                   ? style::colour(attemptLook(attempt).token)
                   : style::colour(index.column() == step || index.column() == what
                                       ? style::Token::text
                                       : style::Token::muted);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == took ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant AttemptsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"Step"_s, u"What"_s, u"Outcome"_s, u"Took"_s, u"Began"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == took ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

} // namespace holdfast::inspector
