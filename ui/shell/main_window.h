// The frame around the pages: list of pages, way back, palette, menus, pause, what is wrong, and
// the state of engine and database. It shows one page at a time and decides nothing.
#pragma once

#include "ui/shell/environment.h"
#include "ui/shell/history.h"
#include "ui/shell/page.h"

#include <QMainWindow>
#include <QMap>
#include <functional>

class QLabel;
class QPushButton;
class QSettings;
class QStackedWidget;
class QToolBar;

namespace holdfast::shell
{

class Menus;
class PageList;
class Permits;

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
    // An action of the program, in a menu and so in the palette and the list of keys. Before
    // finish().
    QAction *addMenuAction(const QString &menu, const QString &text, const QKeySequence &key,
                           const std::function<void()> &act);
    // Once all pages are there.
    void finish();
    void setThemeChoice(const QString &theme); // which of the three is marked
    // One sentence at the left of the status bar that stays; empty: none.
    void setNote(const QString &note);

    void goTo(const QString &page, const QJsonObject &where);
    void askForPause(); // as if the pause button was pressed
    Page *page(const QString &name) const { return m_pages.value(name); }
    QString currentPage() const;
    QStringList listedPages() const; // in the order of the list
    QVector<QAction *> allActions() const;

    void saveSession(QSettings &settings) const;
    void restoreSession(QSettings &settings);
    void resetLayout();

Q_SIGNALS:
    void themeChosen(const QString &theme); // light | dark | system
    // The window stays: whoever owns what is open decides what closing means.
    void closeWanted();
    void quitWanted();
    void placeShown(const QString &page, const QJsonObject &where);

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void buildFrame();
    void buildToolBar();
    void buildStatusBar();
    void addThemes();
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
    Permits *m_permits = nullptr;
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
    QLabel *m_note = nullptr;
    QMap<QString, QAction *> m_themes; // by choice
};

} // namespace holdfast::shell
