// A window over the list of runs, newest first, as a table. It holds some thousand neighbouring
// rows and never the list: rows that leave at one end are fetched again when a person comes back to
// them. Run ids fall from the first row to the last, and the id of a run is the cursor of the page
// that follows it. What is the same after an update is not touched, so that selection and place
// survive. A page may be short, or empty, and still have one that follows it: the door looks at so
// many runs at a time, however few of them match.
#pragma once

#include "ui/runs/run_line.h"

#include <QAbstractTableModel>

namespace holdfast::runs
{

class RunsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int rowsMax = 20'000;
    static constexpr int dropMin = 2'000; // rows leave in lots, not one by one

    enum Column { status, eventId, workflow, step, reason, retries, started, age, columnTotal };
    enum Role { runIdRole = Qt::UserRole, statusRole };

    using QAbstractTableModel::QAbstractTableModel;

    // The list from its start. `next` is the cursor of the page that follows; empty: none does.
    void restart(const RunLines &lines, const QString &next);
    // The page that follows the last one.
    void append(const RunLines &lines, const QString &next);
    // A page as it is now, from the run after `after` (empty: from the newest) to the run `next`
    // (empty: to the end). Whatever is held in its range is replaced by it. Rows newer than all
    // that are held are let in only when `letNewIn`; their number is returned either way.
    int merge(const QString &after, const RunLines &lines, const QString &next,
              bool letNewIn = true);
    // The rows from earlierCursor() down to the first one held.
    void prepend(const RunLines &lines);
    void setNow(model::Instant now);
    void repaintAll(); // another theme

    bool hasMore() const { return !m_next.isEmpty(); }
    const QString &nextCursor() const { return m_next; }
    bool hasEarlier() const { return !m_earlier.isEmpty(); }
    // The cursor of the page before the first row, when one was dropped.
    QString earlierCursor() const { return m_earlier.isEmpty() ? QString() : m_earlier.last(); }
    // The run before this row, held or dropped; empty when the row is the newest.
    QString idBefore(int row) const;
    int rowOf(const QString &runId) const;
    const RunLine &line(int row) const { return m_lines.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString textOf(const RunLine &line, int column) const;
    QVariant tipOf(const RunLine &line, int column) const;
    QVariant colourOf(const RunLine &line, int column) const;
    int place(const QString &runId) const;      // the first row that is not newer than this run
    int placeAfter(const QString &runId) const; // the first row that is older
    void mergeRows(int from, int to, const RunLines &lines);
    void insertRows(int at, const RunLines &lines);
    void removeRows(int first, int count);
    void dropTop();
    void dropBottom();

    RunLines m_lines;
    QString m_next;
    // Cursors of the pages that were dropped at the top, the newest page first: an empty one leads.
    QStringList m_earlier;
    QString m_lastDropped; // the run before the first row
    model::Instant m_now = model::never;
};

} // namespace holdfast::runs
