// One failure group whole: what went wrong, how it was grouped, its days, what became of its runs,
// and what people said about it.
#pragma once

#include <QJsonObject>
#include <QWidget>

namespace holdfast::widgets
{
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::weekly
{

class TrendBars;

class GroupDetail : public QWidget
{
    Q_OBJECT
public:
    explicit GroupDetail(QWidget *parent = nullptr);

    // As the list gives it, or, with notes and grouping, as the operation `group` does.
    void setGroup(const QJsonObject &group);
    void setProblem(const QString &problem); // what could not be read; empty: nothing
    void clear();

private:
    widgets::WrapLabel *line(const QString &name, const QString &accessibleName, int lines);

    widgets::TokenLabel *m_status = nullptr;
    widgets::WrapLabel *m_title = nullptr;
    widgets::WrapLabel *m_message = nullptr;
    widgets::WrapLabel *m_grouped = nullptr;
    TrendBars *m_trend = nullptr;
    widgets::WrapLabel *m_outcomes = nullptr;
    widgets::WrapLabel *m_people = nullptr;
    widgets::WrapLabel *m_suggestion = nullptr;
    widgets::WrapLabel *m_notes = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
};

} // namespace holdfast::weekly
