#include "ui/runs/runs_model.h"

#include "ui/style/status_look.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QTextDocument>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::plainText;

namespace
{
constexpr int pageSize = 100; // how far apart the cursors of dropped rows are

int alignmentOf(int column)
{
    const Qt::Alignment across = column == RunsModel::retries ? Qt::AlignHCenter
                                 : column == RunsModel::age   ? Qt::AlignRight
                                                              : Qt::AlignLeft;
    return int(Qt::AlignVCenter | across);
}
} // namespace

void RunsModel::restart(const RunLines &lines, const QString &next)
{
    beginResetModel();
    m_lines = lines;
    m_next = next;
    m_earlier.clear();
    m_lastDropped.clear();
    endResetModel();
}

void RunsModel::append(const RunLines &lines, const QString &next)
{
    m_next = next;
    // Whatever is not older than the last row was held already.
    const QString last = m_lines.isEmpty() ? QString() : m_lines.last().runId;
    RunLines older;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(older),
                 [&](const RunLine &line) { return last.isEmpty() || line.runId < last; });
    insertRows(int(m_lines.size()), older);
    if (m_lines.size() > rowsMax)
        dropTop();
}

int RunsModel::merge(const QString &after, const RunLines &lines, const QString &next,
                     bool letNewIn)
{
    const QString first = m_lines.isEmpty() ? QString() : m_lines.first().runId;
    const int from = after.isEmpty() ? 0 : placeAfter(after);
    const int to = next.isEmpty() ? int(m_lines.size()) : placeAfter(next);
    RunLines known = lines;
    const auto isNew = [&](const RunLine &line) { return first.isEmpty() || line.runId > first; };
    const int newRows = int(std::count_if(lines.begin(), lines.end(), isNew));
    if (!letNewIn)
        known.removeIf(isNew);
    mergeRows(from, std::min(std::max(from, to), int(m_lines.size())), known);
    // Beyond the last row the page may know better how it goes on.
    if (next.isEmpty() || next < m_next)
        m_next = next;
    if (m_lines.size() > rowsMax)
        dropBottom();
    return newRows;
}

void RunsModel::prepend(const RunLines &lines)
{
    if (!hasEarlier())
        return;
    m_lastDropped = m_earlier.takeLast();
    const QString first = m_lines.isEmpty() ? QString() : m_lines.first().runId;
    RunLines newer = lines;
    newer.removeIf([&](const RunLine &line) { return line.runId <= first; });
    insertRows(0, newer);
    if (m_lines.size() > rowsMax)
        dropBottom();
}

// Both sides fall by id, so one pass brings the held rows of a range to the given ones.
void RunsModel::mergeRows(int from, int to, const RunLines &lines)
{
    int row = from;
    int end = to;
    qsizetype next = 0;
    while (row < end || next < lines.size()) {
        const bool hasRow = row < end;
        const bool hasLine = next < lines.size();
        if (hasRow && (!hasLine || m_lines.at(row).runId > lines.at(next).runId)) {
            int gone = 1;
            while (row + gone < end &&
                   (!hasLine || m_lines.at(row + gone).runId > lines.at(next).runId))
                ++gone;
            removeRows(row, gone);
            end -= gone;
        } else if (hasRow && m_lines.at(row).runId == lines.at(next).runId) {
            if (m_lines.at(row) != lines.at(next)) {
                m_lines[row] = lines.at(next);
                Q_EMIT dataChanged(index(row, 0), index(row, columnTotal - 1));
            }
            ++row;
            ++next;
        } else {
            qsizetype last = next + 1;
            while (last < lines.size() && (!hasRow || lines.at(last).runId > m_lines.at(row).runId))
                ++last;
            insertRows(row, lines.mid(next, last - next));
            row += int(last - next);
            end += int(last - next);
            next = last;
        }
    }
}

void RunsModel::insertRows(int at, const RunLines &lines)
{
    if (lines.isEmpty())
        return;
    beginInsertRows({}, at, at + int(lines.size()) - 1);
    if (at == m_lines.size()) {
        m_lines += lines;
    } else {
        m_lines.insert(at, lines.size(), RunLine{});
        std::copy(lines.begin(), lines.end(), m_lines.begin() + at);
    }
    endInsertRows();
}

void RunsModel::removeRows(int first, int count)
{
    beginRemoveRows({}, first, first + count - 1);
    m_lines.remove(first, count);
    endRemoveRows();
}

void RunsModel::dropTop()
{
    const int count = std::max(int(m_lines.size()) - rowsMax, dropMin) / pageSize * pageSize;
    for (int row = 0; row < count; row += pageSize)
        m_earlier.append(idBefore(row));
    const QString lastDropped = m_lines.at(count - 1).runId;
    removeRows(0, count);
    m_lastDropped = lastDropped;
}

void RunsModel::dropBottom()
{
    const int count = std::max(int(m_lines.size()) - rowsMax, dropMin);
    removeRows(int(m_lines.size()) - count, count);
    m_next = m_lines.last().runId;
}

QString RunsModel::idBefore(int row) const
{
    return row > 0 && row <= m_lines.size() ? m_lines.at(row - 1).runId : m_lastDropped;
}

int RunsModel::place(const QString &runId) const
{
    const auto found =
        std::lower_bound(m_lines.begin(), m_lines.end(), runId,
                         [](const RunLine &line, const QString &id) { return line.runId > id; });
    return int(found - m_lines.begin());
}

int RunsModel::placeAfter(const QString &runId) const
{
    const int row = place(runId);
    return row < m_lines.size() && m_lines.at(row).runId == runId ? row + 1 : row;
}

int RunsModel::rowOf(const QString &runId) const
{
    const int row = place(runId);
    return row < m_lines.size() && m_lines.at(row).runId == runId ? row : -1;
}

void RunsModel::setNow(model::Instant now)
{
    m_now = now;
    if (!m_lines.isEmpty())
        Q_EMIT dataChanged(index(0, age), index(int(m_lines.size()) - 1, age), {Qt::DisplayRole});
}

void RunsModel::repaintAll()
{
    if (!m_lines.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_lines.size()) - 1, columnTotal - 1),
                           {Qt::ForegroundRole});
}

int RunsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_lines.size());
}

int RunsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QVariant RunsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunLine &line = m_lines.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(line, index.column());
    case Qt::ToolTipRole: return tipOf(line, index.column());
    case Qt::ForegroundRole: return colourOf(line, index.column());
    case Qt::TextAlignmentRole: return alignmentOf(index.column());
    case Qt::AccessibleTextRole:
        return index.column() == status ? style::statusLook(line.status).word
                                        : textOf(line, index.column());
    case runIdRole: return line.runId;
    case statusRole: return line.status;
    default: return {};
    }
}

QString RunsModel::textOf(const RunLine &line, int column) const
{
    switch (Column(column)) {
    case status: return style::statusLook(line.status).text();
    case eventId: return plainText(line.eventId);
    case workflow: return u"%1@%2"_s.arg(plainText(line.workflow)).arg(line.version);
    case step: return plainText(line.step);
    case reason: return plainText(line.reason);
    case retries: return line.retryCount == 0 ? QString() : QString::number(line.retryCount);
    case started: return widgets::shortTime(line.startedAt);
    case age: {
        const model::Millis millis = line.age(m_now);
        return millis < 0 ? QString() : widgets::durationText(millis);
    }
    case columnTotal: break;
    }
    return {};
}

QVariant RunsModel::tipOf(const RunLine &line, int column) const
{
    QString tip = textOf(line, column);
    if (column == started)
        tip = widgets::fullTime(line.startedAt);
    else if (column == age)
        tip = line.duration >= 0 ? u"It took %1."_s.arg(tip) : u"It is %1 old."_s.arg(tip);
    else if (column == eventId)
        tip += u"\nrun "_s + plainText(line.runId);
    return tip.isEmpty() ? QVariant() : Qt::convertFromPlainText(tip);
}

QVariant RunsModel::colourOf(const RunLine &line, int column) const
{
    switch (Column(column)) {
    case status: return style::colour(style::statusLook(line.status).token);
    case started:
    case workflow: return style::colour(Token::muted);
    case age: return style::colour(line.duration >= 0 ? Token::muted : Token::text);
    case eventId:
    case step:
    case reason:
    case retries:
    case columnTotal: break;
    }
    return style::colour(Token::text);
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"Status"_s, u"Event id"_s, u"Workflow"_s, u"Step"_s,
                                    u"Reason"_s, u"Retries"_s,  u"Started"_s,  u"Age / took"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::DisplayRole)
        return titles.at(section);
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    return {};
}

} // namespace holdfast::runs
