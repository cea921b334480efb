// The frame around the pages: list of pages, way back, palette, menus, pause, what is wrong, and
// the state of engine and database. It shows one page at a time and decides nothing.
#pragma once

#include "ui/shell/environment.h"
#include "ui/shell/history.h"
#include "ui/shell/page.h"

#include <QMainWindow>
#include <QMap>

class QLabel;
class QPushButton;
class QSettings;
class QStackedWidget;
class QToolBar;

namespace holdfast::shell
{

class Menus;
class PageList;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(bridge::Bridge &bridge, const Environment &environment);
    ~MainWindow() override;

    // In the order of the list; `listed` false keeps a page out of it (a run is opened, not
    // chosen).
    void addPage(Page *page, bool listed = true);
    // Stands above every page and cannot be dismissed.
    void setBanner(QWidget *banner);
    // Always visible at the right of the tool bar.
    void setPauseAction(QAction *action);
    // Once all pages are there.
    void finish();

    void goTo(const QString &page, const QJsonObject &where);
    Page *page(const QString &name) const { return m_pages.value(name); }
    QString currentPage() const;
    QStringList listedPages() const; // in the order of the list
    QVector<QAction *> allActions() const;

    void saveSession(QSettings &settings) const;
    void restoreSession(QSettings &settings);
    void resetLayout();

Q_SIGNALS:
    void themeChosen(holdfast::style::Theme theme);
    void closing();

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void buildFrame();
    void buildToolBar();
    void buildStatusBar();
    void show(const Place &place);
    void openPalette();
    void showKeys();
    void showState();
    void showMarks();
    void refreshCurrent();
    void updateWay();

    bridge::Bridge &m_bridge;
    const Environment m_environment;
    History m_history;
    QMap<QString, Page *> m_pages;
    bool m_isMoving = false; // while a place is being shown, the page's own moves are no new places

    Menus *m_menus = nullptr;
    PageList *m_list = nullptr;
    QStackedWidget *m_stack = nullptr;
    QWidget *m_top = nullptr; // banner goes here
    QLabel *m_frame = nullptr;
    QLabel *m_away = nullptr;
    QToolBar *m_bar = nullptr;
    QPushButton *m_pause = nullptr;
    QAction *m_back = nullptr;
    QAction *m_forward = nullptr;
    QLabel *m_engine = nullptr;
    QLabel *m_database = nullptr;
    QLabel *m_pauseState = nullptr;
    QLabel *m_clock = nullptr;
};

} // namespace holdfast::shell
