// Two payloads side by side, a row for each field; what differs carries a sign, a word and a
// colour.
#pragma once

#include "ui/review/json_diff.h"
#include "ui/widgets/rows_model.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace holdfast::widgets
{
class SteadyTable;
}

namespace holdfast::review
{

class JsonDiffModel : public widgets::RowsModel<DiffRow>
{
    Q_OBJECT
public:
    enum Column { mark, field, left, right, columnTotal };

    explicit JsonDiffModel(QObject *parent = nullptr) : RowsModel(parent) {}

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

class JsonDiffView : public QWidget
{
    Q_OBJECT
public:
    explicit JsonDiffView(QWidget *parent = nullptr);

    void setPayloads(const QJsonValue &left, const QJsonValue &right);

private:
    void showRows();

    QVector<DiffRow> m_rows;
    JsonDiffModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    QCheckBox *m_onlyDifferences = nullptr;
    QLabel *m_summary = nullptr;
};

} // namespace holdfast::review
