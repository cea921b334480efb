#include "ui/shell/main_window.h"

#include "ui/shell/keys_dialog.h"
#include "ui/shell/menus.h"
#include "ui/shell/page_list.h"
#include "ui/shell/palette.h"
#include "ui/shell/permits.h"
#include "ui/style/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/typed_word.h"

#include <QAction>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

MainWindow::MainWindow(bridge::Bridge &bridge, const Environment &environment)
    : m_bridge(bridge), m_environment(environment)
{
    setObjectName(u"holdfast"_s);
    m_menus = new Menus(menuBar());
    m_permits = new Permits(this);
    if (const QString name = m_environment.typedName(); !name.isEmpty())
        widgets::TypedWord::guard(this, name);
    buildToolBar();
    buildFrame();
    buildStatusBar();
    connect(&m_bridge, &bridge::Bridge::changed, this, &MainWindow::refreshCurrent);
    connect(&m_bridge, &bridge::Bridge::changed, this, &MainWindow::showMarks);
    connect(&m_bridge, &bridge::Bridge::stateChanged, this, &MainWindow::showState);
    resetLayout();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildFrame()
{
    auto *central = new QWidget(this);
    auto *column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_frame = widgets::plainLabel(u"environment"_s, u"Environment"_s);
    m_frame->setFixedHeight(fontMetrics().height() / 3);
    m_frame->setAutoFillBackground(true);
    m_top = new QWidget(central);
    auto *top = new QVBoxLayout(m_top);
    top->setContentsMargins(0, 0, 0, 0);
    top->setSpacing(0);
    m_away = widgets::plainLabel(u"away"_s, u"Problem with the database"_s);
    m_away->setWordWrap(true);
    m_away->setMargin(fontMetrics().height() / 2);
    m_away->hide();
    m_list = new PageList(central);
    m_stack = new QStackedWidget(central);
    auto *body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_list);
    body->addWidget(m_stack, 1);
    column->addWidget(m_frame);
    column->addWidget(m_top);
    column->addWidget(m_away);
    column->addLayout(body, 1);
    setCentralWidget(central);
    connect(m_list, &PageList::chosen, this, [this](const QString &name) {
        if (!m_isMoving && name != currentPage())
            goTo(name, m_pages.value(name)->where());
    });
}

void MainWindow::buildToolBar()
{
    m_bar = addToolBar(u"Main"_s);
    m_bar->setObjectName(u"mainToolBar"_s);
    m_bar->setMovable(false);
    m_bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_back = m_menus->add(u"View"_s, u"&Back"_s, QKeySequence(u"Alt+Left"_s),
                          [this] { show(m_history.back()); });
    m_forward = m_menus->add(u"View"_s, u"&Forward"_s, QKeySequence(u"Alt+Right"_s),
                             [this] { show(m_history.forward()); });
    m_bar->addAction(m_back);
    m_bar->addAction(m_forward);
    QAction *palette = m_menus->add(u"Edit"_s, u"&Search or run a command…"_s,
                                    QKeySequence(u"Ctrl+K"_s), [this] { openPalette(); });
    auto *search = new QPushButton(u"Search or run a command   Ctrl+K"_s, m_bar);
    search->setObjectName(u"searchButton"_s);
    search->setAccessibleName(u"Search or run a command"_s);
    search->setMinimumWidth(fontMetrics().horizontalAdvance(u'm') * 26);
    connect(search, &QPushButton::clicked, palette, &QAction::trigger);
    m_bar->addWidget(search);
    auto *space = new QWidget(m_bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_bar->addWidget(space);
    m_engine = widgets::plainLabel(u"engine"_s, u"Engine"_s);
    m_engine->setContentsMargins(12, 0, 12, 0);
    m_bar->addWidget(m_engine);
}

void MainWindow::buildStatusBar()
{
    m_database = widgets::plainLabel(u"database"_s, u"Database"_s);
    m_pauseState = widgets::plainLabel(u"pauseState"_s, u"Pauses"_s);
    m_clock = widgets::plainLabel(u"figuresFrom"_s, u"Time of the figures"_s);
    auto *who = widgets::plainLabel(u"actor"_s, u"You are"_s);
    who->setText(widgets::plainText(m_bridge.actor(), 60));
    m_database->setText(
        u"%1  ·  %2"_s.arg(m_environment.word(), widgets::plainText(m_bridge.database(), 120)));
    statusBar()->addWidget(m_database);
    m_note = widgets::plainLabel(u"note"_s, u"Note"_s);
    m_note->hide();
    statusBar()->addWidget(m_note);
    statusBar()->addPermanentWidget(m_pauseState);
    statusBar()->addPermanentWidget(who);
    statusBar()->addPermanentWidget(m_clock);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::setBanner(QWidget *banner) { m_top->layout()->addWidget(banner); }

void MainWindow::setPauseAction(QAction *action)
{
    m_menus->adopt(u"Tools"_s, action);
    Permits::name(action, u"pause"_s);
    m_pause = new QPushButton(action->text(), m_bar);
    Permits::name(m_pause, u"pause"_s);
    m_pause->setObjectName(u"pauseButton"_s);
    m_pause->setAccessibleName(u"Pause"_s);
    m_pause->setToolTip(u"Stop what Holdfast sends. %1"_s.arg(
        action->shortcut().toString(QKeySequence::NativeText)));
    connect(m_pause, &QPushButton::clicked, action, &QAction::trigger);
    m_bar->addWidget(m_pause);
}

void MainWindow::addPage(Page *page, bool listed)
{
    m_pages.insert(page->name(), page);
    m_stack->addWidget(page);
    if (listed) {
        m_list->addPage(page->name(), page->title(), page->name());
        const int number = m_list->count();
        const QKeySequence key =
            number <= 9 ? QKeySequence(u"Ctrl+%1"_s.arg(number)) : QKeySequence(u"Ctrl+,"_s);
        m_menus->add(u"View"_s, page->title(), key,
                     [this, page] { goTo(page->name(), page->where()); });
    }
    m_menus->adoptPage(page);
    connect(page, &Page::goTo, this, &MainWindow::goTo);
    connect(page, &Page::placeChanged, this, [this, page] {
        if (!m_isMoving && page->name() == currentPage())
            m_history.replace({page->name(), page->where()});
    });
    connect(page, &Page::said, this,
            [this](const QString &text) { statusBar()->showMessage(widgets::plainText(text)); });
    connect(page, &Page::countChanged, this,
            [this, page](int count) { m_list->setCount(page->name(), count); });
}

void MainWindow::finish()
{
    m_menus->addSeparator(u"View"_s);
    m_menus->add(u"View"_s, u"&Refresh"_s, QKeySequence(u"F5"_s), [this] {
        m_bridge.pulse();
        refreshCurrent();
    });
    addThemes();
    m_menus->add(u"View"_s, u"Reset &layout"_s, {}, [this] { resetLayout(); });
    m_menus->add(u"File"_s, u"&Close window"_s, QKeySequence(u"Ctrl+W"_s), [this] { close(); });
    m_menus->add(u"File"_s, u"&Quit"_s, QKeySequence(u"Ctrl+Q"_s), [this] { Q_EMIT quitWanted(); });
    m_menus->add(u"Help"_s, u"&Keys"_s, QKeySequence(u"Ctrl+?"_s), [this] { showKeys(); });
    if (m_pages.contains(u"settings"_s)) {
        m_menus->add(u"Settings"_s, u"&Settings page"_s, {}, [this] { goTo(u"settings"_s, {}); });
    }
    if (m_pages.contains(u"review"_s)) {
        m_menus->add(u"Review"_s, u"&Open the inbox"_s, {}, [this] { goTo(u"review"_s, {}); });
    }
    showState();
    showMarks();
    changeEvent(nullptr);
}

QAction *MainWindow::addMenuAction(const QString &menu, const QString &text,
                                   const QKeySequence &key, const std::function<void()> &act)
{
    return m_menus->add(menu, text, key, act);
}

QString MainWindow::currentPage() const
{
    const auto *page = qobject_cast<const Page *>(m_stack->currentWidget());
    return page ? page->name() : QString();
}

QStringList MainWindow::listedPages() const { return m_list->names(); }

QVector<QAction *> MainWindow::allActions() const { return m_menus->actions(); }

void MainWindow::goTo(const QString &page, const QJsonObject &where)
{
    if (!m_pages.contains(page))
        return;
    m_history.visit({page, where});
    show({page, where});
}

void MainWindow::show(const Place &place)
{
    Page *page = m_pages.value(place.page);
    if (!page)
        return;
    m_isMoving = true;
    m_menus->setCurrent(page);
    m_stack->setCurrentWidget(page);
    m_list->setCurrent(page->name());
    page->open(place.where);
    page->refresh();
    page->first()->setFocus(Qt::OtherFocusReason);
    m_isMoving = false;
    updateWay();
    showState();
    Q_EMIT placeShown(place.page, place.where);
}

void MainWindow::askForPause()
{
    if (m_pause)
        m_pause->click();
}

void MainWindow::updateWay()
{
    m_back->setEnabled(m_history.canGoBack());
    m_forward->setEnabled(m_history.canGoForward());
}

void MainWindow::refreshCurrent()
{
    if (auto *page = qobject_cast<Page *>(m_stack->currentWidget()))
        page->refresh();
}

void MainWindow::openPalette()
{
    auto *palette = new Palette(m_bridge, allActions(), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    connect(palette, &Palette::goTo, this, &MainWindow::goTo);
    palette->open();
}

void MainWindow::showKeys()
{
    auto *keys = new KeysDialog(allActions(), this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->open();
}

void MainWindow::changeEvent(QEvent *event)
{
    if (event)
        QMainWindow::changeEvent(event);
    if (!event || event->type() == QEvent::PaletteChange) {
        m_back->setIcon(style::icon(u"back"_s));
        m_forward->setIcon(style::icon(u"forward"_s));
        if (m_pause)
            m_pause->setIcon(style::icon(u"pause"_s));
        QPalette frame;
        frame.setColor(QPalette::Window, m_environment.ground());
        m_frame->setPalette(frame);
        showState();
    }
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    event->ignore();
    Q_EMIT closeWanted();
}

} // namespace holdfast::shell
