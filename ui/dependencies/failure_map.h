// How a dependency's failures are classed, as a person reads it: its own rules first, in their
// order, then what holds for every dependency. The first rule that matches decides.
#pragma once

#include "ui/widgets/steady_table.h"

#include <QJsonArray>
#include <QJsonObject>

namespace holdfast::widgets
{
class JsonTableModel;
}

namespace holdfast::dependencies
{

// Rows with "order", "from", "when", "effect", "class" and "reason".
QJsonArray failureRows(const QJsonArray &classify, const QJsonArray &builtIn);

class FailureMap : public widgets::SteadyTable
{
    Q_OBJECT
public:
    explicit FailureMap(QWidget *parent = nullptr);

    void setRules(const QJsonArray &classify, const QJsonArray &builtIn);
    widgets::JsonTableModel *rules() const { return m_model; }

private:
    widgets::JsonTableModel *m_model = nullptr;
};

} // namespace holdfast::dependencies
