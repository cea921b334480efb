// Every pause there was, those in force first: what, why, by whom, and what it held.
#pragma once

#include "ui/pause/pause_state.h"
#include "ui/widgets/rows_model.h"

namespace holdfast::pause
{

class PauseTableModel : public widgets::RowsModel<PauseState>
{
    Q_OBJECT
public:
    enum Column { state, what, why, by, since, lifted, held, inFlight, started, columnTotal };

    explicit PauseTableModel(QObject *parent = nullptr) : RowsModel(parent) {}

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const PauseState &pause, int column) const;
};

// Those in force first, then the newest.
QVector<PauseState> inOrder(QVector<PauseState> pauses);

} // namespace holdfast::pause
