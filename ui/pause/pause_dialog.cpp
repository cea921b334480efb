#include "ui/pause/pause_dialog.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int reasonMax = 1000;

const QStringList &presets()
{
    static const QStringList list{u"Provider incident"_s, u"Wrong results"_s, u"Too many errors"_s,
                                  u"Maintenance"_s};
    return list;
}
} // namespace

PauseDialog::PauseDialog(bridge::Bridge &bridge, const PauseScope &preselected, QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_preselected(preselected)
{
    setWindowTitle(u"Pause"_s);
    setObjectName(u"pauseDialog"_s);
    m_inFlight = new widgets::WrapLabel(u"inFlight"_s, u"In flight"_s);
    m_problem = new widgets::WrapLabel(u"pauseProblem"_s, u"Problem"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    // Enter pauses wherever the focus is, also while the button is not yet enabled.
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Cancel)->setAccessibleName(u"Cancel"_s);
    m_pause = buttons->addButton(u"Pause"_s, QDialogButtonBox::AcceptRole);
    m_pause->setObjectName(u"pauseNow"_s);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(fontMetrics().height() / 2);
    column->addWidget(widgets::heading(u"What"_s));
    column->addLayout(buildScope());
    column->addWidget(widgets::heading(u"How deep"_s));
    column->addLayout(buildDepth());
    column->addWidget(widgets::heading(u"Why"_s));
    column->addLayout(buildReason());
    column->addWidget(m_inFlight);
    column->addWidget(m_problem);
    column->addStretch(1);
    column->addWidget(buttons);
    m_pause->setDefault(true);
    resize(fontMetrics().averageCharWidth() * 88, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &PauseDialog::pauseNow);
    connect(&m_bridge, &bridge::Bridge::changed, this, &PauseDialog::showState);
    askNames();
    showState();
    m_presets.first()->setFocus();
}

QRadioButton *PauseDialog::radio(QButtonGroup *group, const QString &name, const QString &text)
{
    auto *button = new QRadioButton(text);
    button->setObjectName(name);
    button->setAccessibleName(QString(text).remove(u'&'));
    group->addButton(button);
    return button;
}

QLayout *PauseDialog::buildScope()
{
    m_scopes = new QButtonGroup(this);
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    const auto names = [](const QString &name, const QString &accessible) {
        auto *combo = new QComboBox;
        combo->setObjectName(name);
        combo->setAccessibleName(accessible);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(20);
        return combo;
    };
    m_workflows = names(u"workflows"_s, u"Workflow to pause"_s);
    m_dependencies = names(u"dependencies"_s, u"Dependency to pause"_s);
    m_scopeButtons = {
        {u"all"_s, radio(m_scopes, u"scopeAll"_s, u"&Everything"_s)},
        {u"workflow"_s, radio(m_scopes, u"scopeWorkflow"_s, u"One &workflow"_s)},
        {u"dependency"_s, radio(m_scopes, u"scopeDependency"_s, u"One &dependency"_s)}};
    grid->addWidget(m_scopeButtons.value(u"all"_s), 0, 0);
    grid->addWidget(m_scopeButtons.value(u"workflow"_s), 1, 0);
    grid->addWidget(m_workflows, 1, 1);
    grid->addWidget(m_scopeButtons.value(u"dependency"_s), 2, 0);
    grid->addWidget(m_dependencies, 2, 1);
    m_scopeButtons.value(m_preselected.scope, m_scopeButtons.value(u"all"_s))->setChecked(true);
    connect(m_scopes, &QButtonGroup::buttonClicked, this, &PauseDialog::showState);
    for (const auto &[combo, scope] :
         {std::pair{m_workflows, u"workflow"_s}, std::pair{m_dependencies, u"dependency"_s}}) {
        QRadioButton *button = m_scopeButtons.value(scope);
        connect(combo, &QComboBox::activated, this, [this, button] {
            button->setChecked(true);
            showState();
        });
    }
    return grid;
}

QLayout *PauseDialog::buildDepth()
{
    m_depths = new QButtonGroup(this);
    auto *grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    for (const DepthText &text : depthTexts()) {
        QRadioButton *button = radio(m_depths, u"depth_"_s + text.depth, text.title);
        button->setProperty("depth", text.depth);
        button->setChecked(m_depths->buttons().size() == 1);
        button->setAccessibleDescription(text.sentence);
        auto *sentence = new widgets::TokenLabel(text.sentence, Token::muted);
        const int row = grid->rowCount();
        grid->addWidget(button, row, 0);
        grid->addWidget(sentence, row, 1);
    }
    connect(m_depths, &QButtonGroup::buttonClicked, this, &PauseDialog::showState);
    return grid;
}

QLayout *PauseDialog::buildReason()
{
    auto *row = new QHBoxLayout;
    for (int i = 0; i < presets().size(); ++i) {
        auto *button = new QPushButton(u"%1  %2"_s.arg(i + 1).arg(presets().at(i)));
        button->setObjectName(u"preset%1"_s.arg(i + 1));
        button->setAccessibleName(u"Reason: %1"_s.arg(presets().at(i)));
        button->setToolTip(u"Key %1 takes it; Enter takes it and pauses."_s.arg(i + 1));
        button->setAutoDefault(false);
        button->installEventFilter(this);
        connect(button, &QPushButton::clicked, this, [this, i] { choosePreset(i); });
        connect(new QShortcut(QKeySequence(Qt::Key_1 + i), this), &QShortcut::activated, this,
                [this, i] { choosePreset(i); });
        m_presets.append(button);
        row->addWidget(button);
    }
    m_reason = new QLineEdit;
    m_reason->setObjectName(u"pauseReason"_s);
    m_reason->setAccessibleName(u"Reason, required"_s);
    m_reason->setPlaceholderText(u"Required: everybody sees it in the banner and in the audit"_s);
    m_reason->setMaxLength(reasonMax);
    connect(m_reason, &QLineEdit::textChanged, this, &PauseDialog::showState);
    auto *column = new QVBoxLayout;
    column->addLayout(row);
    column->addWidget(m_reason);
    return column;
}

void PauseDialog::askNames()
{
    const auto ask = [this](const QString &operation, QLatin1String list, QLatin1String name,
                            QComboBox *combo, const QString &scope) {
        m_bridge.ask(operation, {}, this,
                     [this, list, name, combo, scope](const Result<QJsonValue> &answer) {
                         if (!answer)
                             return;
                         QStringList names;
                         for (const QJsonValue &item : (*answer)[list].toArray())
                             names << item[name].toString();
                         const bool isWanted = m_preselected.scope == scope;
                         fill(combo, names, isWanted ? m_preselected.target : QString());
                     });
    };
    if (m_preselected.scope == "workflow"_L1)
        fill(m_workflows, {m_preselected.target}, m_preselected.target);
    if (m_preselected.scope == "dependency"_L1)
        fill(m_dependencies, {m_preselected.target}, m_preselected.target);
    ask(u"workflows"_s, "workflows"_L1, "workflow"_L1, m_workflows, u"workflow"_s);
    ask(u"dependencies"_s, "dependencies"_L1, "dependency"_L1, m_dependencies, u"dependency"_s);
}

// The name itself is the item's data; what is shown is made safe.
void PauseDialog::fill(QComboBox *names, const QStringList &list, const QString &wanted)
{
    QStringList sorted = list;
    sorted.removeDuplicates();
    sorted.sort();
    const QString current = names->currentData().toString();
    names->clear();
    for (const QString &name : sorted)
        names->addItem(widgets::plainText(name, 80), name);
    const int index = names->findData(current.isEmpty() ? wanted : current);
    if (index >= 0)
        names->setCurrentIndex(index);
    showState();
}

PauseScope PauseDialog::scope() const
{
    if (m_scopeButtons.value(u"workflow"_s)->isChecked())
        return {u"workflow"_s, m_workflows->currentData().toString()};
    if (m_scopeButtons.value(u"dependency"_s)->isChecked())
        return {u"dependency"_s, m_dependencies->currentData().toString()};
    return {};
}

QString PauseDialog::depth() const
{
    return m_depths->checkedButton()->property("depth").toString();
}

void PauseDialog::choosePreset(int index)
{
    m_reason->setText(presets().at(index));
    m_presets.at(index)->setFocus();
}

void PauseDialog::showState()
{
    if (!m_pause || !m_reason)
        return;
    const PauseScope chosen = scope();
    PauseState pause;
    pause.scope = chosen.scope;
    pause.target = widgets::plainText(chosen.target, 30);
    pause.depth = depth();
    m_pause->setText(u"Pause %1"_s.arg(gateText(pause)));
    m_pause->setAccessibleName(m_pause->text());
    const bool hasTarget = chosen.scope == "all"_L1 || !chosen.target.isEmpty();
    m_pause->setEnabled(!m_isBusy && hasTarget && !m_reason->text().trimmed().isEmpty());
    const int inFlight = m_bridge.marks().value("in_flight"_L1).toInt();
    m_inFlight->setToken(inFlight > 0 ? Token::attention : Token::muted);
    m_inFlight->setText(
        inFlight == 0
            ? u"Nothing is on the wire right now."_s
            : u"%1 on the wire in all. What is on the wire cannot be recalled: it will finish, and "
              "the banner counts it down to 0."_s.arg(
                  countText(inFlight, u"attempt is"_s, u"attempts are"_s)));
}

bool PauseDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const qsizetype preset = m_presets.indexOf(static_cast<QPushButton *>(watched));
        if (preset >= 0 && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            choosePreset(int(preset));
            pauseNow();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void PauseDialog::pauseNow()
{
    if (!m_pause->isEnabled())
        return;
    const PauseScope chosen = scope();
    QJsonObject arguments{{u"depth"_s, depth()}, {u"reason"_s, m_reason->text().trimmed()}};
    if (chosen.scope != "all"_L1)
        arguments.insert(chosen.scope, chosen.target);
    m_isBusy = true;
    m_problem->hide();
    showState();
    m_bridge.act(u"pause"_s, arguments, this,
                 [this](const Result<QJsonValue> &answer) { answered(answer); });
}

void PauseDialog::answered(const Result<QJsonValue> &answer)
{
    m_isBusy = false;
    if (answer) {
        Q_EMIT paused(answer->toObject());
        accept();
        return;
    }
    m_problem->setText(u"✖ Nothing is paused: %1."_s.arg(answer.error().message));
    m_problem->show();
    showState();
}

} // namespace holdfast::pause
