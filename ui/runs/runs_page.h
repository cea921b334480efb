// The list of all runs: found by a filter, read page by page, live without moving what a person
// looks at, and the place from which runs are opened, acted on and exported.
#pragma once

#include "ui/runs/run_line.h"
#include "ui/runs/run_work.h"
#include "ui/shell/page.h"

#include <QTimer>

class QAction;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace holdfast::widgets
{
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::runs
{

class EmptyRuns;
class FilterBar;
class RunPager;
class RunPeek;
class RunTable;
class RunsModel;
class SelectionBar;
class ViewsButton;

class RunsPage : public shell::Page
{
    Q_OBJECT
public:
    explicit RunsPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"filter": text}
    QJsonObject where() const override;
    QWidget *first() override;

    RunTable *table() const { return m_table; }
    RunWork *work() const { return m_work; }
    Choice choice() const; // what an act or an export is about

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildActions();
    void buildActs();
    void buildCopies();
    void buildViewActions();
    QAction *tableAction(const QString &name, const QString &text, const QKeySequence &key);
    void buildLayout();
    void buildTable();
    void connectPager();
    void setFilter(const QString &filter);
    void loaded();
    void mergeTop(const RunLines &lines, const QString &next, bool isTooMuch);
    void toTop();
    void showBody();
    void showSelection();
    void askCount();
    void askWords();
    void askViews();
    void askOffers();
    void selectAllThatMatch();
    void saveView();
    void changeView(const QString &operation, const QJsonObject &arguments, const QString &done);
    void openCurrent(const QString &act = {});
    void peek(bool wanted);
    void showPeek();
    void copy(const QString &text, const QString &what);
    QString countText() const;

    RunsModel *m_model = nullptr;
    RunPager *m_pager = nullptr;
    RunTable *m_table = nullptr;
    FilterBar *m_filter = nullptr;
    ViewsButton *m_views = nullptr;
    QPushButton *m_export = nullptr;
    widgets::TokenLabel *m_count = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QStackedWidget *m_body = nullptr;
    EmptyRuns *m_empty = nullptr;
    RunPeek *m_peek = nullptr;
    SelectionBar *m_selection = nullptr;
    RunWork *m_work = nullptr;

    QVector<QAction *> m_onSelection; // need a selected run
    QVector<QAction *> m_onCurrent;   // need one run
    QAction *m_peekAction = nullptr;
    QAction *m_selectAll = nullptr;
    QAction *m_saveView = nullptr;
    QAction *m_deleteView = nullptr;

    QTimer m_ageTimer;
    QTimer m_countTimer; // counting is not for every small change
    bool m_isCounting = false;
    int m_counted = -1; // -1: not known
    bool m_isCapped = false;
    bool m_isAllThatMatch = false;
    bool m_letIn = false; // the person asked for the new ones
    bool m_hasWords = false;
    QString m_offersFor; // the filter whose offers were asked for
};

} // namespace holdfast::runs
