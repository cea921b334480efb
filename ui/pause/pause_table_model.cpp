#include "ui/pause/pause_table_model.h"

#include "ui/style/theme.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <algorithm>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
bool isNumber(int column)
{
    return column == PauseTableModel::held || column == PauseTableModel::inFlight ||
           column == PauseTableModel::started;
}

QString stateText(const PauseState &pause)
{
    if (!pause.isInForce())
        return u"✔ Lifted"_s;
    if (pause.ramp.state == "ramping"_L1)
        return u"▶ Resuming"_s;
    return pause.ramp.state == "holding"_L1 ? u"◐ Ramp holds"_s : u"‖ In force"_s;
}
} // namespace

QVector<PauseState> inOrder(QVector<PauseState> pauses)
{
    std::stable_sort(pauses.begin(), pauses.end(), [](const PauseState &a, const PauseState &b) {
        if (a.isInForce() != b.isInForce())
            return a.isInForce();
        return a.at > b.at;
    });
    return pauses;
}

int PauseTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QString PauseTableModel::textOf(const PauseState &pause, int column) const
{
    const auto number = [&](int value) {
        return pause.isInForce() && value >= 0 ? QString::number(value) : u"–"_s;
    };
    switch (Column(column)) {
    case state: return stateText(pause);
    case what: return gateText(pause);
    case why: return pause.reason;
    case by: return pause.actor;
    case since: return widgets::shortTime(pause.at);
    case lifted:
        if (pause.isInForce())
            return {};
        return u"%1 by %2%3"_s.arg(widgets::shortTime(pause.liftedAt), pause.liftedBy,
                                   pause.liftedReason.isEmpty() ? QString()
                                                                : u": "_s + pause.liftedReason);
    case held: return number(pause.held);
    case inFlight: return number(pause.inFlight);
    case started: return number(pause.startedSince);
    case columnTotal: break;
    }
    return {};
}

QVariant PauseTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const PauseState &pause = rows().at(index.row());
    switch (role) {
    case Qt::DisplayRole: return widgets::plainText(textOf(pause, index.column()));
    case Qt::ToolTipRole:
        return widgets::plainText(textOf(pause, index.column()), 4000).toHtmlEscaped();
    case Qt::ForegroundRole:
        if (index.column() == started && pause.startedSince > 0)
            return style::colour(Token::bad);
        if (!pause.isInForce())
            return style::colour(Token::muted);
        return style::colour(index.column() == state ? Token::attention : Token::text);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant PauseTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"State"_s, u"What"_s,      u"Why"_s,
                                    u"By"_s,    u"Since"_s,     u"Lifted"_s,
                                    u"Held"_s,  u"In flight"_s, u"Started since"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == started)
        return u"Attempts that began under the pause; anything but 0 is a breach."_s;
    return role == Qt::DisplayRole ? QVariant(titles.at(section)) : QVariant();
}

} // namespace holdfast::pause
