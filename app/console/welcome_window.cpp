#include "app/console/welcome_window.h"

#include "ui/settings/connection_form.h"
#include "ui/style/icons.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using style::Token;

WelcomeWindow::WelcomeWindow()
{
    setObjectName(u"welcome"_s);
    setWindowTitle(u"Holdfast"_s);
    setAccessibleName(u"Welcome to Holdfast"_s);
    m_stack = new QStackedWidget;
    m_stack->addWidget(buildChoices());
    m_stack->addWidget(buildConnection());
    const int unit = fontMetrics().height();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 3, unit * 2, unit * 3, unit * 2);
    column->addWidget(m_stack);
    resize(fontMetrics().averageCharWidth() * 100, unit * 34);
    m_demo->setFocus();
}

QWidget *WelcomeWindow::buildChoices()
{
    auto *page = new QWidget;
    const int unit = fontMetrics().height();
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(unit / 2);
    auto *title = new widgets::TokenLabel(u"Welcome to Holdfast"_s);
    title->setSize(1.8, true);
    auto *about = new widgets::WrapLabel(u"welcomeAbout"_s, u"About"_s);
    about->setToken(Token::muted);
    about->setText(u"Automations that touch the outside world, with every effect made once, every "
                   "unknown outcome shown to a person, and one switch that stops them."_s);
    column->addWidget(title);
    column->addWidget(about);
    column->addSpacing(unit);
    m_demo = addChoice(page, u"welcomeDemo"_s, u"Try the demo"_s,
                       u"Two weeks of history and a world that misbehaves on request. Needs no "
                       "network, touches nothing real, and is gone when it is closed."_s);
    m_demo->setDefault(true);
    auto *folder = addChoice(page, u"welcomeFolder"_s, u"Open a workflow folder…"_s,
                             u"Deploys the workflow files of a folder into this machine's own "
                             "run database, which is made for it."_s);
    auto *connection = addChoice(page, u"welcomeConnect"_s, u"Connect to a run database…"_s,
                                 u"A SQLite file that exists, or a PostgreSQL database that is "
                                 "shared by many."_s);
    m_problem = new widgets::WrapLabel(u"welcomeProblem"_s, u"What went wrong"_s);
    m_problem->setToken(Token::bad);
    m_problem->setLinesMax(8);
    column->addWidget(m_problem);
    column->addStretch();
    connect(m_demo, &QPushButton::clicked, this, &WelcomeWindow::demoWanted);
    connect(folder, &QPushButton::clicked, this, &WelcomeWindow::chooseFolder);
    connect(connection, &QPushButton::clicked, this, &WelcomeWindow::showConnection);
    return page;
}

QPushButton *WelcomeWindow::addChoice(QWidget *page, const QString &name, const QString &title,
                                      const QString &sentence)
{
    auto *button = new QPushButton(title);
    button->setObjectName(name);
    button->setAccessibleName(title);
    button->setAccessibleDescription(sentence);
    button->setMinimumHeight(fontMetrics().height() * 5 / 2);
    QFont face = button->font();
    face.setBold(true);
    button->setFont(face);
    auto *about = new widgets::WrapLabel(name + u"About"_s, title);
    about->setText(sentence);
    about->setToken(Token::muted);
    page->layout()->addWidget(button);
    page->layout()->addWidget(about);
    static_cast<QVBoxLayout *>(page->layout())->addSpacing(fontMetrics().height() / 2);
    return button;
}

QWidget *WelcomeWindow::buildConnection()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto *title = new widgets::TokenLabel(u"Connect to a run database"_s);
    title->setSize(1.4, true);
    m_form = new settings::ConnectionForm;
    auto *back = new QPushButton(u"Back"_s);
    back->setObjectName(u"welcomeBack"_s);
    back->setAccessibleName(u"Back"_s);
    connect(back, &QPushButton::clicked, this, [this] {
        m_stack->setCurrentIndex(0);
        m_demo->setFocus();
    });
    column->addWidget(title);
    column->addSpacing(fontMetrics().height());
    column->addWidget(m_form, 1);
    column->addWidget(back, 0, Qt::AlignLeft);
    return page;
}

void WelcomeWindow::showConnection() { m_stack->setCurrentIndex(1); }

void WelcomeWindow::chooseFolder()
{
    auto *dialog = new QFileDialog(this, u"Open a workflow folder"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &WelcomeWindow::folderWanted);
    dialog->open();
}

void WelcomeWindow::setBusy(bool busy)
{
    m_stack->widget(0)->setEnabled(!busy);
    m_form->setBusy(busy);
}

void WelcomeWindow::setProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? problem : u"▲ "_s + problem);
}

void WelcomeWindow::closeEvent(QCloseEvent *event)
{
    QWidget::closeEvent(event);
    Q_EMIT closed();
}

} // namespace holdfast::console
