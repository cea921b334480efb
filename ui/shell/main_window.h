// The plain window of the console: runs live in a table, what waits for a person, pauses, and the
// state of engine and database. It shows snapshots and decides nothing; it never talks to a
// database.
#pragma once

#include "ui/shell/snapshot.h"
#include "ui/shell/theme.h"

#include <QMainWindow>
#include <QPointer>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace holdfast::shell
{

class NeedStrip;
class RunFilterModel;
class RunTable;
class RunTableModel;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const QString &database, Theme theme, QWidget *parent = nullptr);

    void setTheme(Theme theme);
    Theme theme() const { return m_theme; }

public Q_SLOTS:
    void showSnapshot(const holdfast::shell::SnapshotPtr &snapshot);

Q_SIGNALS:
    void refreshWanted();
    void themeChosen(holdfast::shell::Theme theme);

private:
    void buildMenus();
    QWidget *buildFilterRow();
    QWidget *buildTable();
    QWidget *buildEmptyPage();
    void buildStatusBar();
    void fillStatusFilter();
    void showPauses();
    void showAway();
    void showBody();
    void showStatusBar();
    void copyRunIds();
    void selectRuns(const QStringList &runIds);
    QStringList selectedRuns() const;

    const QString m_database;
    Theme m_theme;
    SnapshotPtr m_snapshot;
    RunTableModel *m_model = nullptr;
    RunFilterModel *m_filter = nullptr;

    QLabel *m_away = nullptr;
    NeedStrip *m_needs = nullptr;
    QLabel *m_pauses = nullptr;
    QComboBox *m_status = nullptr;
    QLineEdit *m_text = nullptr;
    QLabel *m_shown = nullptr;
    QStackedWidget *m_body = nullptr;
    RunTable *m_table = nullptr;
    QLabel *m_empty = nullptr;
    QLabel *m_engine = nullptr;
    QLabel *m_connection = nullptr;
    QLabel *m_asOf = nullptr;
};

} // namespace holdfast::shell
