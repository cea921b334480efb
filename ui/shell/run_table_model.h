// The runs of one snapshot as a table. A new snapshot changes only the cells and rows that differ,
// so selection and scroll position survive. Cells are plain text, made safe to show.
#pragma once

#include "ui/shell/snapshot.h"
#include "ui/shell/theme.h"

#include <QAbstractTableModel>

namespace holdfast::shell
{

class RunTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { status, workflow, eventId, step, reason, retries, started, updated, columnTotal };
    enum Role { sortRole = Qt::UserRole, runIdRole, statusRole, searchRole };

    explicit RunTableModel(QObject *parent = nullptr);

    void setSnapshot(const SnapshotPtr &snapshot);
    void setTheme(Theme theme);
    const RunLine &line(int row) const { return m_runs.at(row); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant textOf(const RunLine &run, int column) const;
    QVariant sortValueOf(const RunLine &run, int column) const;
    QVariant foregroundOf(const RunLine &run, int column) const;
    bool keepsOrder(const QVector<RunLine> &runs) const;
    void removeMissing(const QVector<RunLine> &runs);
    void insertNew(const QVector<RunLine> &runs);
    void updateChanged(const QVector<RunLine> &runs);

    QVector<RunLine> m_runs;
    Theme m_theme = Theme::light;
    bool m_isStale = false;
};

// Today as a time, earlier as a date and a time, in the person's own zone.
QString shortTime(model::Instant instant);

} // namespace holdfast::shell
