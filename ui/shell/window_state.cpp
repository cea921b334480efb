// What the frame says of the engine, the database and what waits, and which theme is chosen.
#include "ui/shell/main_window.h"
#include "ui/shell/menus.h"
#include "ui/shell/page_list.h"
#include "ui/shell/permits.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

#include <QAction>
#include <QActionGroup>
#include <QJsonArray>
#include <QStackedWidget>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

void MainWindow::showState()
{
    const bridge::EngineState &engine = m_bridge.engine();
    QString text = u"● Engine %1"_s.arg(widgets::plainText(engine.word, 60).replace(u'_', u' '));
    if (engine.inFlight > 0)
        text += u" · %1 in flight"_s.arg(engine.inFlight);
    m_engine->setText(text);
    m_engine->setToolTip(widgets::plainText(engine.message));
    const bool away = m_bridge.isAway();
    m_away->setVisible(away || !engine.message.isEmpty());
    widgets::setTextColour(m_away, style::colour(style::Token::bad));
    if (!away && !engine.message.isEmpty())
        m_away->setText(u"▲ "_s + widgets::plainText(engine.message));
    if (away) {
        const QString from =
            m_bridge.lastGood() == model::never
                ? u"No figures have been read yet."_s
                : u"The figures are from %1."_s.arg(widgets::shortTime(m_bridge.lastGood()));
        m_away->setText(
            u"▲ The run database cannot be read: %1 %2 It is tried again by itself."_s.arg(
                widgets::plainText(m_bridge.problem()), from));
    }
    // Old figures are grey, never zeros.
    if (QWidget *page = m_stack->currentWidget()) {
        QPalette palette = style::paletteOf(style::currentTheme());
        if (away) {
            for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
                palette.setColor(role, style::colour(style::Token::muted));
        }
        page->setPalette(palette);
        page->setProperty("stale", away);
    }
}

void MainWindow::showMarks()
{
    const QJsonObject marks = m_bridge.marks();
    m_permits->setRefused(marks.value("refused"_L1).toObject());
    const qsizetype pauses = marks.value("pauses"_L1).toArray().size();
    m_pauseState->setText(pauses == 0   ? u"no active pause"_s
                          : pauses == 1 ? u"1 active pause"_s
                                        : u"%1 active pauses"_s.arg(pauses));
    m_clock->setText(widgets::shortTime(m_bridge.lastGood()));
    const QString name = u"Holdfast · %1"_s.arg(m_environment.name);
    setWindowTitle(pauses > 0 ? u"‖ PAUSED · "_s + name : name);
    int waiting = 0;
    const QJsonObject reviews = marks.value("reviews"_L1).toObject();
    for (const QJsonValue &count : reviews)
        waiting += count.toInt();
    m_list->setCount(u"review"_s, waiting);
    m_list->setCount(u"pause"_s, int(pauses));
    m_list->setCount(u"dependencies"_s, int(marks.value("breakers_open"_L1).toArray().size()));
    showState();
}

void MainWindow::addThemes()
{
    auto *group = new QActionGroup(this);
    const std::pair<QString, QString> choices[] = {
        {u"light"_s, u"&Light"_s}, {u"dark"_s, u"&Dark"_s}, {u"system"_s, u"&As the desktop"_s}};
    for (const auto &[choice, text] : choices) {
        QAction *action = m_menus->add(u"View"_s, text, {},
                                       [this, choice = choice] { Q_EMIT themeChosen(choice); });
        action->setCheckable(true);
        group->addAction(action);
        m_themes.insert(choice, action);
    }
}

void MainWindow::setThemeChoice(const QString &theme)
{
    if (QAction *action = m_themes.value(theme))
        action->setChecked(true);
}

void MainWindow::setNote(const QString &note)
{
    m_note->setText(widgets::plainText(note, 200));
    m_note->setVisible(!note.isEmpty());
}

} // namespace holdfast::shell
