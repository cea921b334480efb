// What was found in a definition, line by line; a double click leads to the line.
#pragma once

#include "ui/widgets/code_view.h"
#include "ui/widgets/steady_table.h"

#include <QJsonArray>

namespace holdfast::widgets
{
class JsonTableModel;
}

namespace holdfast::workflows
{

class FindingsTable : public widgets::SteadyTable
{
    Q_OBJECT
public:
    explicit FindingsTable(QWidget *parent = nullptr);

    void setFindings(const QJsonArray &findings);
    widgets::JsonTableModel *findings() const { return m_model; }

Q_SIGNALS:
    void lineWanted(const QString &file, int line);

private:
    widgets::JsonTableModel *m_model = nullptr;
};

// The same findings as marks beside the lines of `file`; an empty name takes them all.
QMap<int, widgets::LineMark> marksOf(const QJsonArray &findings, const QString &file);

} // namespace holdfast::workflows
