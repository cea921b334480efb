// The workflows that are deployed: how each went in the last seven days, its steps as a graph
// beside its text, what there is to be said against it, and the ways in: a run by hand, a file to
// check and deploy.
#pragma once

#include "ui/shell/page.h"

#include <QJsonArray>
#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace holdfast::widgets
{
class CodeView;
class ElidedLabel;
class JsonTableModel;
class SteadyTable;
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::workflows
{

class FileReader;
class FindingsTable;
class StepGraph;

class WorkflowsPage : public shell::Page
{
    Q_OBJECT
public:
    explicit WorkflowsPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"workflow", "version", "line" or "step"}
    QJsonObject where() const override;
    QWidget *first() override;

    // Reads, checks and offers to deploy, as "Open file…" does with what was chosen.
    void openFiles(const QStringList &paths);

private:
    void build();
    void buildActions();
    QWidget *buildList();
    QWidget *buildDetail();
    QWidget *buildHead();
    QWidget *buildBelow();
    void connectAll();

    void askList();
    void listAnswered(const QJsonArray &rows);
    void showRates(const QJsonObject &rates);
    void choose(const QString &workflow, int version); // 0: the newest
    void chooseRow(int row);
    void askDetail();
    void showDetail(const QJsonObject &workflow);
    void goToPlace();
    void showVersions();
    void showReadiness(const QJsonArray &checks);
    void showProblem(const QString &problem);
    void startRun();
    void chooseFiles();
    void filesRead(const FileReader &reader);

    bool m_isAsking = false;
    bool m_isWanted = false;
    QTimer m_again;      // the list is read at most once a second
    QJsonArray m_rows;   // every version
    QJsonObject m_rates; // by workflow
    QString m_workflow;  // chosen; empty: the first there is
    int m_version = 0;   // chosen; 0: the newest
    QJsonObject m_shown; // the detail on the screen
    QJsonObject m_goTo;  // the line or step to show once the text is there
    QString m_askedFor;  // of the question under way, so a late answer is not shown

    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_list = nullptr;
    QStackedWidget *m_stack = nullptr;
    widgets::ElidedLabel *m_name = nullptr;
    widgets::ElidedLabel *m_about = nullptr;
    QComboBox *m_versions = nullptr;
    QPushButton *m_start = nullptr;
    QPushButton *m_runs = nullptr;
    StepGraph *m_graph = nullptr;
    widgets::CodeView *m_code = nullptr;
    FindingsTable *m_findings = nullptr;
    widgets::JsonTableModel *m_checks = nullptr;
    QTabWidget *m_below = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_open = nullptr;
};

} // namespace holdfast::workflows
