// How often things go well: by operation and by dependency, worst first, sortable. A row leads to
// the runs behind it.
#pragma once

#include "ui/widgets/panel.h"

#include <QJsonObject>

namespace holdfast::widgets
{
class JsonTableModel;
class SteadyTable;
} // namespace holdfast::widgets

namespace holdfast::overview
{

class RateTable : public widgets::Panel
{
    Q_OBJECT
public:
    enum class By { operation, dependency };
    explicit RateTable(By by, QWidget *parent = nullptr);

    void setRows(const QJsonArray &rows);
    widgets::SteadyTable *table() const { return m_table; }
    widgets::JsonTableModel *model() const { return m_model; }

Q_SIGNALS:
    void opened(const QJsonObject &row);

private:
    const By m_by;
    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
};

} // namespace holdfast::overview
