#include "ui/shell/run_table_model.h"

#include "ui/shell/plain_text.h"
#include "ui/shell/status_look.h"

#include <QDateTime>
#include <QSet>
#include <algorithm>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

RunTableModel::RunTableModel(QObject *parent) : QAbstractTableModel(parent) {}

void RunTableModel::setSnapshot(const SnapshotPtr &snapshot)
{
    const QVector<RunLine> &runs = snapshot->runs;
    if (keepsOrder(runs)) {
        removeMissing(runs);
        insertNew(runs);
        updateChanged(runs);
    } else {
        beginResetModel();
        m_runs = runs;
        endResetModel();
    }
    if (m_isStale != snapshot->isAway) {
        m_isStale = snapshot->isAway;
        setTheme(m_theme);
    }
}

void RunTableModel::setTheme(Theme theme)
{
    m_theme = theme;
    if (!m_runs.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_runs.size()) - 1, columnTotal - 1),
                           {Qt::ForegroundRole});
}

// Lists go from newest to oldest and a run never changes its place, so this is the rule; anything
// else is not worth a clever difference.
bool RunTableModel::keepsOrder(const QVector<RunLine> &runs) const
{
    QMap<QString, qsizetype> places;
    for (qsizetype i = 0; i < runs.size(); ++i)
        places.insert(runs.at(i).runId, i);
    if (places.size() != runs.size())
        return false;
    qsizetype last = -1;
    for (const RunLine &run : m_runs) {
        const qsizetype place = places.value(run.runId, -1);
        if (place < 0)
            continue;
        if (place < last)
            return false;
        last = place;
    }
    return true;
}

void RunTableModel::removeMissing(const QVector<RunLine> &runs)
{
    QSet<QString> kept;
    for (const RunLine &run : runs)
        kept.insert(run.runId);
    int end = int(m_runs.size());
    while (end > 0) {
        int first = end;
        while (first > 0 && !kept.contains(m_runs.at(first - 1).runId))
            --first;
        if (first < end) {
            beginRemoveRows({}, first, end - 1);
            m_runs.remove(first, end - first);
            endRemoveRows();
        }
        end = first - 1;
    }
}

void RunTableModel::insertNew(const QVector<RunLine> &runs)
{
    int row = 0;
    while (row < runs.size()) {
        int end = row;
        const bool isAfterAll = row >= m_runs.size();
        while (end < runs.size() && (isAfterAll || runs.at(end).runId != m_runs.at(row).runId))
            ++end;
        if (end > row) {
            beginInsertRows({}, row, end - 1);
            m_runs.insert(row, end - row, RunLine{});
            std::copy(runs.begin() + row, runs.begin() + end, m_runs.begin() + row);
            endInsertRows();
        }
        row = end + 1;
    }
}

void RunTableModel::updateChanged(const QVector<RunLine> &runs)
{
    for (int row = 0; row < runs.size(); ++row) {
        if (m_runs.at(row) == runs.at(row))
            continue;
        m_runs[row] = runs.at(row);
        Q_EMIT dataChanged(index(row, 0), index(row, columnTotal - 1));
    }
}

int RunTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

int RunTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QVariant RunTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunLine &run = m_runs.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(run, index.column());
    case Qt::ForegroundRole: return foregroundOf(run, index.column());
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter |
                   (index.column() == retries ? Qt::AlignHCenter : Qt::AlignLeft));
    case Qt::AccessibleTextRole:
        return index.column() == status ? statusLook(run.status).word : textOf(run, index.column());
    case sortRole: return sortValueOf(run, index.column());
    case runIdRole: return run.runId;
    case statusRole: return run.status;
    case searchRole:
        return QStringList{run.workflow, run.eventId, run.runId, run.step, run.reason}.join(u'\n');
    default: return {};
    }
}

QVariant RunTableModel::textOf(const RunLine &run, int column) const
{
    switch (Column(column)) {
    case status: return statusLook(run.status).text();
    case workflow: return u"%1 v%2"_s.arg(plainText(run.workflow)).arg(run.version);
    case eventId: return plainText(run.eventId);
    case step: return plainText(run.step);
    case reason: return plainText(run.reason);
    case retries: return run.retryCount == 0 ? QString() : QString::number(run.retryCount);
    case started: return shortTime(run.startedAt);
    case updated: return shortTime(run.updatedAt);
    case columnTotal: break;
    }
    return {};
}

QVariant RunTableModel::sortValueOf(const RunLine &run, int column) const
{
    switch (Column(column)) {
    case status: return statusNames().indexOf(run.status);
    case retries: return run.retryCount;
    case started: return run.startedAt;
    case updated: return run.updatedAt;
    case workflow:
    case eventId:
    case step:
    case reason:
    case columnTotal: break;
    }
    return textOf(run, column);
}

QVariant RunTableModel::foregroundOf(const RunLine &run, int column) const
{
    if (m_isStale)
        return colour(m_theme, Token::muted);
    if (column == status)
        return colour(m_theme, statusLook(run.status).token);
    if (column == started || column == updated)
        return colour(m_theme, Token::muted);
    return colour(m_theme, Token::text);
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"Status"_s, u"Workflow"_s, u"Event id"_s, u"Step"_s,
                                    u"Reason"_s, u"Retries"_s,  u"Started"_s,  u"Updated"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == retries ? Qt::AlignHCenter : Qt::AlignLeft));
    return {};
}

QString shortTime(model::Instant instant)
{
    if (instant == model::never)
        return {};
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(instant);
    const bool isToday = local.date() == QDate::currentDate();
    return local.toString(isToday ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm"_s);
}

} // namespace holdfast::shell
