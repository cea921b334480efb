#include "ui/inspector/plan_model.h"

#include "ui/inspector/attempt_look.h"
#include "ui/style/step_look.h"
#include "ui/widgets/plain_text.h"

#include <QTextDocument>
#include <algorithm>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using widgets::plainText;

void PlanModel::setPlan(const QJsonArray &plan)
{
    beginResetModel();
    m_plan.clear();
    for (const QJsonValue &value : plan) {
        PlannedStep planned;
        planned.step = value["step"_L1].toString();
        planned.verdict = value["verdict"_L1].toString();
        planned.why = value["why"_L1].toString();
        planned.problem = value["problem"_L1].toString();
        planned.key = value["key"_L1].toString();
        planned.request = value["request"_L1].toObject();
        planned.isChosen = planned.willCompensate();
        m_plan.append(planned);
    }
    endResetModel();
}

void PlanModel::setSteps(const QJsonArray &steps)
{
    for (int row = 0; row < m_plan.size(); ++row) {
        for (const QJsonValue &candidate : steps) {
            const QString status = candidate["status"_L1].toString();
            if (candidate["step"_L1].toString() != m_plan.at(row).step ||
                status == m_plan.at(row).now)
                continue;
            m_plan[row].now = status;
            Q_EMIT dataChanged(index(row, now), index(row, now));
        }
    }
}

void PlanModel::setLocked(bool locked)
{
    m_isLocked = locked;
    if (!m_plan.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnTotal - 1));
}

QStringList PlanModel::chosen() const
{
    QStringList steps;
    for (const PlannedStep &planned : m_plan) {
        if (planned.isChosen)
            steps << planned.step;
    }
    return steps;
}

void PlanModel::toggle(int row)
{
    const bool isChosen = m_plan.at(row).isChosen;
    setData(index(row, choice), int(isChosen ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

bool PlanModel::needsVerify() const
{
    return std::any_of(m_plan.begin(), m_plan.end(), [](const PlannedStep &planned) {
        return planned.verdict == "verify_first"_L1;
    });
}

bool PlanModel::isWhole() const
{
    return std::all_of(m_plan.begin(), m_plan.end(), [](const PlannedStep &planned) {
        return planned.willCompensate() ? planned.isChosen : planned.verdict != "verify_first"_L1;
    });
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_plan.size());
}

int PlanModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QString PlanModel::textOf(const PlannedStep &planned, int row, int column) const
{
    switch (Column(column)) {
    case choice: return {};
    case step: return u"%1  %2"_s.arg(row + 1).arg(plainText(planned.step));
    case verdict: return verdictLook(planned.verdict).text();
    case why: return plainText(planned.problem.isEmpty() ? planned.why : planned.problem);
    case now: return planned.now.isEmpty() ? QString() : style::stepLook(planned.now).text();
    case columnTotal: break;
    }
    return {};
}

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const PlannedStep &planned = m_plan.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(planned, index.row(), index.column());
    case Qt::ToolTipRole: {
        const QString tip = textOf(planned, index.row(), index.column());
        return tip.isEmpty() ? QVariant() : Qt::convertFromPlainText(tip);
    }
    case Qt::AccessibleTextRole:
        return index.column() == choice ? (planned.isChosen ? u"chosen"_s : u"not chosen"_s)
                                        : textOf(planned, index.row(), index.column());
    case Qt::CheckStateRole:
        if (index.column() != choice || !planned.willCompensate())
            return {};
        return int(planned.isChosen ? Qt::Checked : Qt::Unchecked);
    case Qt::ForegroundRole:
        if (index.column() == verdict)
            return style::colour(verdictLook(planned.verdict).token);
        if (index.column() == now && !planned.now.isEmpty())
            return style::colour(style::stepLook(planned.now).token);
        return style::colour(index.column() == why ? style::Token::muted : style::Token::text);
    default: return {};
    }
}

bool PlanModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable))
        return false;
    m_plan[index.row()].isChosen = value.toInt() == Qt::Checked;
    Q_EMIT dataChanged(index, index, {Qt::CheckStateRole});
    return true;
}

Qt::ItemFlags PlanModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    const bool mayChoose = index.isValid() && index.column() == choice && !m_isLocked &&
                           m_plan.at(index.row()).willCompensate();
    flags.setFlag(Qt::ItemIsUserCheckable, mayChoose);
    return flags;
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{QString(), u"Step"_s, u"Verdict"_s, u"Why"_s, u"Now"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | Qt::AlignLeft);
    return {};
}

} // namespace holdfast::inspector
