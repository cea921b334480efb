// The weekly review: a guided pass through what changed, failed, is unresolved, was compensated and
// cost, which ends in a signed report. It shows the report document and nothing else, so that page,
// exports and sign-off speak of the same figures.
#pragma once

#include "ui/shell/page.h"
#include "ui/weekly/week.h"

#include <QJsonArray>
#include <QMap>
#include <QPointer>
#include <QTimer>

class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace holdfast::widgets
{
class ElidedLabel;
class EmptyNote;
class JsonTableModel;
class SteadyTable;
class TokenLabel;
class WrapLabel;
struct JsonColumn;
} // namespace holdfast::widgets

namespace holdfast::weekly
{

class AskDialog;
class ChartView;
class GroupDetail;
class ReportExport;
class SectionList;
struct AskText;

class WeeklyPage : public shell::Page
{
    Q_OBJECT
public:
    explicit WeeklyPage(bridge::Bridge &bridge);

    void refresh() override;
    // {"week", "section", "group", "ticks"}; the week is its Monday, or "newest".
    void open(const QJsonObject &where) override;
    QJsonObject where() const override;
    QWidget *first() override;

    // Writes the report shown; the menu asks for the path first.
    void exportTo(const QString &format, const QString &path);

private:
    struct Table {
        widgets::JsonTableModel *model = nullptr;
        widgets::SteadyTable *table = nullptr;
        widgets::EmptyNote *empty = nullptr;
    };
    struct ListText {
        QString name;
        QString accessibleName;
        QString empty;
        bool hasKeys = false; // letters act on its rows, so they look for none
    };

    // weekly_build.cpp
    void build();
    QWidget *buildTop();
    QWidget *buildSide();
    QWidget *buildSections();
    QWidget *buildExportBar();
    void buildActions();
    QAction *letterAction(const QString &text, const QString &letter, const QString &operation);
    Table addTable(const ListText &text, const QVector<widgets::JsonColumn> &columns,
                   const QVector<int> &widths);

    // weekly_sections.cpp
    QWidget *buildChanges();
    QWidget *buildFlips();
    QWidget *buildGroups();
    QWidget *buildList(const Table &table, widgets::WrapLabel **about = nullptr);
    QWidget *buildCost();
    QWidget *buildSignoff();
    QWidget *buildGroupButtons();
    void connectSections();

    // weekly_page.cpp
    void setWeek(const Week &week);
    void askReport();
    void answered(const model::Result<QJsonValue> &answer);
    void showReport();
    void showLists();
    void showGroups();
    void showFigures();
    void showCharts();
    void showSignoff();
    void showState(); // loading, stale, failed, incomplete
    void showTicks();
    void showCounts();

    // weekly_acts.cpp
    QJsonObject group() const; // the chosen one; empty: none
    void chooseGroup(const QString &id);
    void askGroup();
    void openRuns();
    void ask(const AskText &text, QWidget *field, const QString &act,
             std::function<QJsonObject()> value);
    void resolve();
    void archive();
    void reopen();
    void assign();
    void merge();
    void note();
    void tag();
    void changePolicy();
    void tell(QJsonObject arguments, AskDialog *dialog);
    void sign();
    void signAnswered(const Week &week, const model::Result<QJsonValue> &answer);
    void showActs();
    void say(const QString &text, bool isBad);
    void chooseExport(const QString &format);

    // Looking a name up in an object that may change would add it.
    const QJsonObject &report() const { return m_report; }
    const QJsonObject &detail() const { return m_detail; }

    Week m_week;
    QJsonObject m_report; // as last read; empty: not yet
    QString m_problem;    // why the last question was not answered
    model::Instant m_readAt = model::never;
    QString m_chosen;                   // the group the detail shows
    QJsonObject m_detail;               // of the operation `group`
    QMap<QString, QStringList> m_ticks; // by week
    QString m_signProblem;              // why the last sign-off of this week was refused
    bool m_isAsking = false;
    bool m_isWanted = false;
    bool m_isActing = false;
    bool m_isFilling = false;
    QTimer m_again; // a report is read at most every few seconds
    QPointer<ReportExport> m_export;

    QToolButton *m_previous = nullptr;
    QToolButton *m_next = nullptr;
    widgets::TokenLabel *m_title = nullptr;
    widgets::ElidedLabel *m_span = nullptr;
    widgets::TokenLabel *m_progress = nullptr;
    QPushButton *m_exportButton = nullptr;
    widgets::WrapLabel *m_problemLine = nullptr;
    widgets::WrapLabel *m_incomplete = nullptr;
    SectionList *m_sections = nullptr;
    Table m_figures;
    QStackedWidget *m_whole = nullptr; // reading, or the sections
    widgets::WrapLabel *m_reading = nullptr;
    QStackedWidget *m_stack = nullptr;
    ChartView *m_days = nullptr;
    ChartView *m_causes = nullptr;
    Table m_changes;
    Table m_flips;
    widgets::WrapLabel *m_flipsLine = nullptr;
    Table m_measures;
    widgets::WrapLabel *m_groupsLine = nullptr;
    Table m_groups;
    GroupDetail *m_groupDetail = nullptr;
    widgets::WrapLabel *m_actLine = nullptr;
    QVector<QPushButton *> m_actButtons;
    QVector<QAction *> m_actActions;
    Table m_unresolved;
    widgets::WrapLabel *m_unresolvedMore = nullptr;
    Table m_compensations;
    widgets::WrapLabel *m_compensationsMore = nullptr;
    widgets::WrapLabel *m_costLine = nullptr;
    Table m_cost;
    Table m_canaries;
    Table m_gaps;
    widgets::WrapLabel *m_signLine = nullptr;
    widgets::WrapLabel *m_signHash = nullptr;
    widgets::WrapLabel *m_signRefusal = nullptr;
    QLineEdit *m_signNote = nullptr;
    QPushButton *m_sign = nullptr;
    QWidget *m_exportBar = nullptr;
    widgets::ElidedLabel *m_exportText = nullptr;
    QProgressBar *m_exportProgress = nullptr;
    QPushButton *m_exportStop = nullptr;
};

} // namespace holdfast::weekly
