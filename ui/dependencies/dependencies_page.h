// The systems outside: how each fares, where its breaker stands, how its failures are classed, and
// what a person may do about it. Health nobody has measured is said to be unknown.
#pragma once

#include "ui/shell/page.h"

#include <QJsonArray>
#include <QTimer>

class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace holdfast::widgets
{
class ActDialog;
class CodeView;
class ElidedLabel;
class JsonTableModel;
class SteadyTable;
class TokenLabel;
class WrapLabel;
struct ActText;
} // namespace holdfast::widgets

namespace holdfast::dependencies
{

class FailureMap;

class DependenciesPage : public shell::Page
{
    Q_OBJECT
public:
    explicit DependenciesPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"dependency", "line"}
    QJsonObject where() const override;
    QWidget *first() override;

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    QWidget *buildTable();
    QWidget *buildDetail();
    QWidget *buildActions();
    void connectAll();

    void askList();
    void answered();
    void choose(const QString &dependency);
    void showDetail();
    void showClock(); // what depends on the time of day
    QJsonObject chosen() const;
    void showProblem(const QString &problem);
    // Asks for a reason, then tells the breaker of the chosen dependency.
    void overrule(const widgets::ActText &text, const QJsonObject &arguments);
    void forceOpen();
    void closeBreaker();
    void allowTrial();
    void sent(widgets::ActDialog *dialog, const QString &dependency,
              const model::Result<QJsonValue> &answer);

    int m_outstanding = 0;
    bool m_isWanted = false;
    QTimer m_again; // read at most once a second
    QTimer m_clock; // the countdown
    QJsonArray m_list;
    QJsonArray m_builtIn;
    QJsonArray m_rates;
    QString m_dependency; // chosen; empty: the first there is
    int m_goTo = 0;       // the line to show once the text is there

    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    QStackedWidget *m_stack = nullptr;
    widgets::ElidedLabel *m_name = nullptr;
    widgets::ElidedLabel *m_about = nullptr;
    widgets::TokenLabel *m_breaker = nullptr;
    widgets::WrapLabel *m_why = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QTabWidget *m_tabs = nullptr;
    FailureMap *m_map = nullptr;
    widgets::CodeView *m_source = nullptr;
    QPushButton *m_pause = nullptr;
    QPushButton *m_force = nullptr;
    QPushButton *m_close = nullptr;
    QPushButton *m_trial = nullptr;
    QPushButton *m_runs = nullptr;
};

} // namespace holdfast::dependencies
