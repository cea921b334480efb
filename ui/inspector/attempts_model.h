// The attempts of a run as a table: the same as the timeline shows, in words.
#pragma once

#include "ui/inspector/run_story.h"
#include "ui/widgets/rows_model.h"

namespace holdfast::inspector
{

class AttemptsModel : public widgets::RowsModel<AttemptStory>
{
    Q_OBJECT
public:
    enum Column { step, what, outcome, took, began, columnTotal };

    using widgets::RowsModel<AttemptStory>::RowsModel;

    void setNow(model::Instant now);

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString textOf(const AttemptStory &attempt, int column) const;

    model::Instant m_now = 0;
};

} // namespace holdfast::inspector
