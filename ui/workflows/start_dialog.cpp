#include "ui/workflows/start_dialog.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"
#include "ui/workflows/input_draft.h"

#include <QFontDatabase>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype inputMax = 1 << 20;
constexpr int eventMax = 500;
} // namespace

StartDialog::StartDialog(bridge::Bridge &bridge, const QJsonObject &workflow, QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_workflow(workflow.value("workflow"_L1).toString()),
      m_version(workflow.value("version"_L1).toInt())
{
    setObjectName(u"startDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(
        u"Start run of %1 version %2"_s.arg(widgets::plainText(m_workflow, 80)).arg(m_version));
    build();
    m_input->setPlainText(inputDraft(workflow.value("source"_L1).toString()));
    connect(m_input, &QPlainTextEdit::textChanged, this, &StartDialog::checkInput);
    connect(m_start, &QPushButton::clicked, this, &StartDialog::start);
    checkInput();
    m_input->setFocus();
}

void StartDialog::build()
{
    auto *column = new QVBoxLayout(this);
    auto *inputLabel = new widgets::TokenLabel(u"&Input, a JSON object"_s);
    m_input = new QPlainTextEdit;
    m_input->setObjectName(u"input"_s);
    m_input->setAccessibleName(u"Input of the run"_s);
    m_input->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_input->setTabChangesFocus(true);
    inputLabel->setBuddy(m_input);
    auto *eventLabel = new widgets::TokenLabel(u"&Event id"_s);
    m_event = new QLineEdit;
    m_event->setObjectName(u"event"_s);
    m_event->setAccessibleName(u"Event id"_s);
    m_event->setMaxLength(eventMax);
    m_event->setPlaceholderText(u"As the workflow derives it from the input"_s);
    eventLabel->setBuddy(m_event);
    auto *note = new widgets::WrapLabel;
    note->setText(u"One event is one run: the same event again gives the run that is there "
                  "already, and nothing is done twice."_s);
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"startProblem"_s);
    m_problem->setAccessibleName(u"What is wrong with it"_s);
    m_problem->setToken(Token::bad);
    auto *close = new QPushButton(u"Leave it"_s);
    close->setAccessibleName(u"Leave it"_s);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    m_start = new QPushButton(u"Start run"_s);
    m_start->setObjectName(u"startButton"_s);
    m_start->setAccessibleName(u"Start run"_s);
    m_start->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(close);
    buttons->addWidget(m_start);
    column->addWidget(inputLabel);
    column->addWidget(m_input, 1);
    for (QWidget *widget : {static_cast<QWidget *>(eventLabel), static_cast<QWidget *>(m_event),
                            static_cast<QWidget *>(note), static_cast<QWidget *>(m_problem)})
        column->addWidget(widget);
    column->addLayout(buttons);
    resize(fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 24);
}

void StartDialog::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

void StartDialog::checkInput()
{
    const QByteArray bytes = m_input->toPlainText().toUtf8();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
    QString problem;
    if (bytes.size() > inputMax)
        problem = u"The input is larger than 1 MiB."_s;
    else if (error.error != QJsonParseError::NoError)
        problem = u"Line %1: %2."_s.arg(bytes.left(error.offset).count('\n') + 1)
                      .arg(error.errorString());
    else if (!document.isObject())
        problem = u"The input of a run is a JSON object."_s;
    m_read = document.object();
    m_start->setEnabled(problem.isEmpty() && !m_isBusy);
    showProblem(problem);
}

void StartDialog::start()
{
    QJsonObject arguments{
        {u"workflow"_s, m_workflow}, {u"version"_s, m_version}, {u"input"_s, m_read}};
    if (const QString event = m_event->text().trimmed(); !event.isEmpty())
        arguments.insert(u"event_id"_s, event);
    m_isBusy = true;
    m_start->setEnabled(false);
    m_bridge.act(u"start"_s, arguments, this, [this](const model::Result<QJsonValue> &answer) {
        m_isBusy = false;
        m_start->setEnabled(true);
        if (!answer) {
            showProblem(answer.error().message);
            return;
        }
        Q_EMIT started((*answer)["run_id"_L1].toString(), (*answer)["replayed"_L1].toBool());
        accept();
    });
}

} // namespace holdfast::workflows
