// The failure groups of the last seven days that nobody has settled, most runs first, each with its
// days as bars. A row leads to its runs; the button to the review where they are decided.
#pragma once

#include "ui/widgets/panel.h"

#include <QJsonArray>

namespace holdfast::widgets
{
class EmptyNote;
class JsonTableModel;
class SteadyTable;
class TokenLabel;
} // namespace holdfast::widgets

namespace holdfast::overview
{

class GroupTable : public widgets::Panel
{
    Q_OBJECT
public:
    explicit GroupTable(QWidget *parent = nullptr);

    void setRows(const QJsonArray &groups);  // as the door gives them
    void setProblem(const QString &problem); // why they could not be read
    widgets::JsonTableModel *model() const { return m_model; }
    widgets::SteadyTable *table() const { return m_table; }

Q_SIGNALS:
    void opened(const QString &group);
    void reviewWanted();

private:
    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    widgets::TokenLabel *m_problem = nullptr;
    widgets::EmptyNote *m_empty = nullptr;
};

} // namespace holdfast::overview
