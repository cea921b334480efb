#include "app/console/leaving_dialogs.h"

#include "ui/widgets/token_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int drainLookMs = 200;

QString attemptsText(int count)
{
    return count == 1 ? u"1 attempt is"_s : u"%1 attempts are"_s.arg(count);
}

widgets::TokenLabel *sentence(const QString &name, const QString &accessible, const QString &text,
                              Token token = Token::text)
{
    auto *label = new widgets::TokenLabel(text, token);
    label->setObjectName(name);
    label->setAccessibleName(accessible);
    label->setWordWrap(true);
    return label;
}

QPushButton *button(const QString &name, const QString &text)
{
    auto *made = new QPushButton(text);
    made->setObjectName(name);
    made->setAccessibleName(text);
    made->setAutoDefault(false);
    return made;
}

QVBoxLayout *columnOf(QDialog *dialog)
{
    const int unit = dialog->fontMetrics().height();
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(unit * 3 / 2, unit * 3 / 2, unit * 3 / 2, unit);
    column->setSpacing(unit * 2 / 3);
    dialog->setMinimumWidth(dialog->fontMetrics().averageCharWidth() * 76);
    return column;
}
// A dialog asks a wrapping text for its height only when it is told its width.
void fit(QDialog *dialog)
{
    const int width = dialog->minimumWidth();
    dialog->setMinimumHeight(dialog->layout()->totalHeightForWidth(width));
    dialog->resize(width, dialog->minimumHeight());
}
} // namespace

CloseQuestion::CloseQuestion(int inFlight, bool hides, QWidget *parent) : QDialog(parent)
{
    setObjectName(u"closeQuestion"_s);
    setWindowTitle(u"Close the window"_s);
    auto *title = new widgets::TokenLabel(u"Runs are executed by this console."_s);
    title->setSize(1.2, true);
    QString now = u"Once it has quit, nothing is sent, verified or compensated until it is opened "
                  "again or a worker runs."_s;
    if (inFlight > 0)
        now += u" %1 under way; quitting lets them end first."_s.arg(attemptsText(inFlight));
    m_always = new QCheckBox(u"Do the same from now on (Settings, Desktop)"_s);
    m_always->setObjectName(u"closeAlways"_s);
    m_always->setAccessibleName(m_always->text());
    auto *keep = button(u"closeKeep"_s, hides ? u"Keep running, hide the window"_s
                                              : u"Keep running, minimise the window"_s);
    auto *quit = button(u"closeQuit"_s, u"Quit"_s);
    auto *stay = button(u"closeStay"_s, u"Go back"_s);
    connect(keep, &QPushButton::clicked, this, [this] {
        Q_EMIT answered(u"keep"_s, m_always->isChecked());
        accept();
    });
    connect(quit, &QPushButton::clicked, this, [this] {
        Q_EMIT answered(u"quit"_s, m_always->isChecked());
        accept();
    });
    connect(stay, &QPushButton::clicked, this, &QDialog::reject);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(stay);
    buttons->addStretch();
    buttons->addWidget(quit);
    buttons->addWidget(keep);
    auto *column = columnOf(this);
    column->addWidget(title);
    column->addWidget(sentence(u"closeNow"_s, u"What quitting means"_s, now));
    column->addWidget(m_always);
    column->addLayout(buttons);
    keep->setDefault(true);
    keep->setFocus();
    fit(this);
}

DrainNotice::DrainNotice(std::function<int()> inFlight, QWidget *parent)
    : QDialog(parent), m_inFlight(std::move(inFlight))
{
    setObjectName(u"drainNotice"_s);
    setWindowTitle(u"Quitting"_s);
    auto *title = new widgets::TokenLabel(u"Letting attempts end"_s);
    title->setSize(1.2, true);
    m_state = sentence(u"drainState"_s, u"What is under way"_s, {});
    auto *bar = new QProgressBar;
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setAccessibleName(u"Waiting"_s);
    auto *force = button(u"drainForce"_s, u"Quit now"_s);
    connect(force, &QPushButton::clicked, this, [this, force] {
        force->setEnabled(false);
        Q_EMIT forced();
    });
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(force);
    auto *column = columnOf(this);
    column->addWidget(title);
    column->addWidget(m_state);
    column->addWidget(bar);
    column->addWidget(sentence(
        u"drainSafe"_s, u"What is safe"_s,
        u"They were sent already, and their receipts are worth the wait. Quitting now loses "
        "nothing that is recorded, but their outcome stays unknown until the next start asks for "
        "it, or a person decides."_s,
        Token::muted));
    column->addLayout(buttons);
    m_timer.setInterval(drainLookMs);
    connect(&m_timer, &QTimer::timeout, this, &DrainNotice::look);
    m_timer.start();
    look();
    fit(this);
}

void DrainNotice::look()
{
    const int count = m_inFlight();
    m_state->setText(count > 0 ? u"%1 under way. Nothing new starts."_s.arg(attemptsText(count))
                               : u"The database is being closed."_s);
}

} // namespace holdfast::console
