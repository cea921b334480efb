#include "ui/workflows/deploy_dialog.h"

#include "ui/shell/permits.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/wrap_label.h"
#include "ui/workflows/findings_table.h"

#include <QComboBox>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
QString counted(qsizetype count, const QString &one, const QString &many)
{
    return count == 1 ? u"1 "_s + one : u"%1 %2"_s.arg(count).arg(many);
}

// "workflow order version 2, dependency payments"
QString namesText(const QJsonObject &answer)
{
    QStringList names;
    const QJsonArray workflowList = answer.value("workflows"_L1).toArray();
    for (const QJsonValue &each : workflowList)
        names << u"workflow %1 version %2"_s.arg(each["workflow"_L1].toString())
                     .arg(each["version"_L1].toInt());
    const QJsonArray dependencyList = answer.value("dependencies"_L1).toArray();
    for (const QJsonValue &each : dependencyList)
        names << u"dependency %1"_s.arg(each["dependency"_L1].toString());
    return names.join(u", "_s);
}
} // namespace

DeployDialog::DeployDialog(bridge::Bridge &bridge, const QVector<DefinitionFile> &files,
                           QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_files(files)
{
    setObjectName(u"deployDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(files.size() == 1
                       ? u"Check and deploy %1"_s.arg(widgets::plainText(files.first().name, 80))
                       : u"Check and deploy %1 files"_s.arg(files.size()));
    build();
    connect(m_file, &QComboBox::currentIndexChanged, this, &DeployDialog::showFile);
    connect(m_table, &FindingsTable::lineWanted, this, &DeployDialog::goTo);
    connect(m_deploy, &QPushButton::clicked, this, &DeployDialog::deploy);
    showFile(0);
    check();
}

void DeployDialog::build()
{
    auto *column = new QVBoxLayout(this);
    m_file = new QComboBox;
    m_file->setObjectName(u"deployFile"_s);
    m_file->setAccessibleName(u"File"_s);
    for (const DefinitionFile &file : m_files)
        m_file->addItem(widgets::plainText(file.name, 120));
    m_file->setVisible(m_files.size() > 1);
    m_code = new widgets::CodeView(u"Text of the file"_s);
    m_code->setObjectName(u"deployCode"_s);
    m_table = new FindingsTable;
    m_table->setObjectName(u"deployFindings"_s);
    auto *split = new QSplitter(Qt::Vertical);
    split->addWidget(m_code);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    m_state = new widgets::WrapLabel;
    m_state->setObjectName(u"deployState"_s);
    m_state->setAccessibleName(u"What the check says"_s);
    auto *close = new QPushButton(u"Leave it"_s);
    close->setAccessibleName(u"Leave it"_s);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    m_deploy = new QPushButton(u"Deploy"_s);
    shell::Permits::name(m_deploy, u"deploy"_s);
    m_deploy->setObjectName(u"deployButton"_s);
    m_deploy->setAccessibleName(u"Deploy"_s);
    m_deploy->setEnabled(false);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_state, 1);
    buttons->addWidget(close);
    buttons->addWidget(m_deploy);
    column->addWidget(m_file);
    column->addWidget(split, 1);
    column->addLayout(buttons);
    resize(fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 40);
}

QJsonObject DeployDialog::arguments() const
{
    QJsonArray list;
    for (const DefinitionFile &file : m_files)
        list.append(QJsonObject{{u"file"_s, file.name}, {u"text"_s, file.text}});
    return {{u"files"_s, list}};
}

void DeployDialog::say(const QString &text, bool isBad)
{
    m_state->setToken(isBad ? Token::bad : Token::text);
    m_state->setText((isBad ? u"▲ "_s : QString()) + text);
}

void DeployDialog::check()
{
    say(u"Checking…"_s, false);
    m_bridge.ask(u"check"_s, arguments(), this, [this](const model::Result<QJsonValue> &answer) {
        if (answer)
            showAnswer(answer->toObject());
        else
            say(answer.error().message, true);
    });
}

void DeployDialog::showAnswer(const QJsonObject &answer)
{
    m_findings = answer.value("findings"_L1).toArray();
    m_table->setFindings(m_findings);
    showFile(m_file->currentIndex());
    if (answer.contains("refused"_L1)) {
        say(u"Cannot be deployed: %1."_s.arg(answer.value("refused"_L1).toString()), true);
        m_deploy->setEnabled(false);
        return;
    }
    const QString names = namesText(answer);
    m_deploy->setEnabled(!names.isEmpty());
    if (names.isEmpty())
        say(u"There is no workflow and no dependency in it."_s, true);
    else
        say(u"Ready to deploy: %1. A deployed version never changes."_s.arg(names), false);
    const auto workflowCount = answer.value("workflows"_L1).toArray().size();
    const auto dependencyCount = answer.value("dependencies"_L1).toArray().size();
    QStringList what;
    if (workflowCount > 0)
        what << counted(workflowCount, u"workflow"_s, u"workflows"_s);
    if (dependencyCount > 0)
        what << counted(dependencyCount, u"dependency"_s, u"dependencies"_s);
    m_deploy->setText(what.isEmpty() ? u"Deploy"_s : u"Deploy "_s + what.join(u" and "_s));
    m_deploy->setAccessibleName(m_deploy->text());
}

void DeployDialog::deploy()
{
    m_deploy->setEnabled(false);
    m_bridge.act(u"deploy"_s, arguments(), this, [this](const model::Result<QJsonValue> &answer) {
        if (!answer) {
            m_deploy->setEnabled(true);
            say(answer.error().message, true);
            return;
        }
        const QJsonObject done = answer->toObject();
        if (done.contains("refused"_L1)) {
            showAnswer(done);
            return;
        }
        Q_EMIT deployed(u"Deployed: %1."_s.arg(namesText(done)),
                        done.value("workflows"_L1).toArray().first()["workflow"_L1].toString());
        accept();
    });
}

void DeployDialog::showFile(int index)
{
    if (index < 0 || index >= m_files.size())
        return;
    m_code->setCode(m_files.at(index).text);
    m_code->setMarks(marksOf(m_findings, m_files.at(index).name));
}

void DeployDialog::goTo(const QString &file, int line)
{
    for (int i = 0; i < m_files.size(); ++i) {
        if (m_files.at(i).name == file)
            m_file->setCurrentIndex(i);
    }
    m_code->goToLine(line);
    m_code->setFocus();
}

} // namespace holdfast::workflows
