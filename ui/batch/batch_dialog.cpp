#include "ui/batch/batch_dialog.h"

#include "ui/batch/batch_look.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace holdfast::batch
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;
using widgets::WrapLabel;

namespace
{
constexpr int examplesOfVerdict = 20;
constexpr int batchReasonMax = 1000;
constexpr int rateDefault = 20;
constexpr int rateMax = 1000;

// What a person has to read comes first in the examples.
const QStringList &verdicts()
{
    static const QStringList names{u"impossible"_s, u"duplicate"_s, u"verify"_s, u"safe"_s};
    return names;
}

QVector<JsonColumn> exampleColumns()
{
    JsonColumn verdict{u"Verdict"_s, [](const QJsonObject &row) {
                           return verdictLook(row["verdict"_L1].toString()).text;
                       }};
    verdict.token = [](const QJsonObject &row) {
        return verdictLook(row["verdict"_L1].toString()).token;
    };
    const auto text = [](const QString &title, const QString &name) {
        return JsonColumn{title, [name](const QJsonObject &row) { return row[name].toString(); }};
    };
    return {verdict, text(u"Workflow"_s, u"workflow"_s), text(u"Event"_s, u"event_id"_s),
            text(u"Why"_s, u"why"_s)};
}

WrapLabel *line(const QString &objectName, const QString &accessibleName, Token token)
{
    auto *label = new WrapLabel(objectName, accessibleName);
    label->setToken(token);
    return label;
}

QString effectText(const Order &order, const QString &what)
{
    if (order.act == "retry"_L1)
        return u"Retry %1: what failed or waits is tried again, under the same keys."_s.arg(what);
    if (order.act == "cancel"_L1)
        return u"Cancel %1: no further step starts, and what is confirmed is compensated."_s.arg(
            what);
    if (order.act == "compensate"_L1)
        return u"Compensate %1: confirmed effects are made up for, in reverse order."_s.arg(what);
    return u"%1: %2."_s.arg(actText(order.act, order.verdict), what);
}
} // namespace

BatchDialog::BatchDialog(bridge::Bridge &bridge, const Order &order, const QString &what,
                         QWidget *parent)
    : QDialog(parent), m_bridge(bridge), m_plan(new BatchPlan(bridge, order, this))
{
    setObjectName(u"batchDialog"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(u"%1 in a batch"_s.arg(actText(order.act, order.verdict)));
    build(what);
    connect(m_plan, &BatchPlan::progressed, this, &BatchDialog::showCount);
    connect(m_plan, &BatchPlan::finished, this, &BatchDialog::showPlan);
    connect(m_plan, &BatchPlan::failed, this, [this](const QString &why) {
        m_progress->hide();
        showProblem(why);
    });
    connect(this, &QDialog::finished, m_plan, &BatchPlan::stop);
    showCount();
    updateButton();
    m_plan->start();
}

void BatchDialog::build(const QString &what)
{
    m_effect = line(u"batchEffect"_s, u"What it does"_s, Token::text);
    m_effect->setText(effectText(m_plan->order(), what));
    m_count = line(u"batchCount"_s, u"How many"_s, Token::text);
    m_progress = new QProgressBar;
    m_progress->setObjectName(u"batchCounting"_s);
    m_progress->setAccessibleName(u"Counting"_s);
    m_progress->setRange(0, 0);
    m_apart = line(u"batchApart"_s, u"What is set apart"_s, Token::muted);
    m_apart->hide();
    m_model = new widgets::JsonTableModel(
        exampleColumns(),
        [](const QJsonObject &row) {
            return row["run_id"_L1].toString() + row["review"_L1].toString();
        },
        this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"batchExamples"_s);
    m_table->setAccessibleName(u"Examples of each verdict"_s);
    m_table->setModel(m_model);
    widgets::setColumnWidths(*m_table, {20, 22, 22, 0});
    m_table->setMinimumHeight(m_table->fontMetrics().height() * 9);
    m_include = new QCheckBox;
    m_include->setObjectName(u"batchInclude"_s);
    m_include->hide();
    buildReason();
    m_problem = line(u"batchProblem"_s, u"What went wrong"_s, Token::bad);
    m_problem->hide();
    auto *form = new QFormLayout;
    form->addRow(u"&Reason (goes into the audit)"_s, m_reason);
    form->addRow(u"Items a &second, after the first six"_s, m_rate);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(fontMetrics().height() / 2);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_effect, m_count, m_progress, m_apart})
        column->addWidget(widget);
    column->addWidget(m_table, 1);
    column->addWidget(m_include);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(buildButtons());
    setMinimumWidth(fontMetrics().averageCharWidth() * 110);
    m_reason->setFocus();
}

void BatchDialog::buildReason()
{
    m_reason = new QLineEdit;
    m_reason->setObjectName(u"batchReason"_s);
    m_reason->setAccessibleName(u"Reason"_s);
    m_reason->setPlaceholderText(u"Why, in a few words"_s);
    m_reason->setMaxLength(batchReasonMax);
    m_rate = new QSpinBox;
    m_rate->setObjectName(u"batchRate"_s);
    m_rate->setAccessibleName(u"Items a second"_s);
    m_rate->setRange(1, rateMax);
    m_rate->setValue(rateDefault);
    m_rate->setMaximumWidth(fontMetrics().averageCharWidth() * 14);
    connect(m_reason, &QLineEdit::textChanged, this, &BatchDialog::updateButton);
    connect(m_include, &QCheckBox::toggled, this, &BatchDialog::updateButton);
}

QWidget *BatchDialog::buildButtons()
{
    m_start = new QPushButton;
    m_start->setObjectName(u"batchStart"_s);
    m_start->setDefault(true);
    m_close = new QPushButton(u"Leave it"_s);
    m_close->setObjectName(u"batchClose"_s);
    m_close->setAccessibleName(u"Leave it as it is"_s);
    m_close->setAutoDefault(false);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_start, &QPushButton::clicked, this, &BatchDialog::startBatch);
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch();
    row->addWidget(m_close);
    row->addWidget(m_start);
    return bar;
}

void BatchDialog::showCount()
{
    m_count->setText(u"Looking at each: %L1 so far…"_s.arg(m_plan->items().size()));
}

void BatchDialog::showPlan()
{
    m_isCounted = true;
    m_progress->hide();
    QStringList parts;
    QJsonArray examples;
    for (const QString &verdict : verdicts()) {
        if (const int count = m_plan->count(verdict); count > 0)
            parts.prepend(u"%1: %L2"_s.arg(verdictLook(verdict).text).arg(count));
        int shown = 0;
        for (const QJsonValue &item : m_plan->items()) {
            if (item["verdict"_L1].toString() == verdict && shown++ < examplesOfVerdict)
                examples.append(item);
        }
    }
    const int total = int(m_plan->items().size());
    QString text = total == 0 ? u"Nothing matches."_s
                              : u"%L1 counted.   %2"_s.arg(total).arg(parts.join(u"   "_s));
    if (m_plan->hasMore())
        text += u"   There are more; a batch has at most %L1."_s.arg(BatchPlan::itemsMax);
    m_count->setText(text);
    m_model->setRows(examples);
    const int apart = total - m_plan->count(u"safe"_s);
    m_apart->setVisible(apart > 0);
    m_apart->setText(u"What is not safe is set apart and left as it is. Runs that move until "
                     "their turn comes are left alone, too."_s);
    m_include->setVisible(m_plan->mayInclude() > 0);
    m_include->setText(
        u"&Include %L1 that are not safe; I know what became of each"_s.arg(m_plan->mayInclude()));
    updateButton();
}

int BatchDialog::chosen() const
{
    return m_plan->count(u"safe"_s) + (m_include->isChecked() ? m_plan->mayInclude() : 0);
}

void BatchDialog::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
    updateButton();
}

void BatchDialog::updateButton()
{
    const QString act = actText(m_plan->order().act, m_plan->order().verdict);
    const QString text = m_isCounted ? u"%1: start with %L2"_s.arg(act).arg(chosen()) : act;
    widgets::setRoomyText(m_start, text);
    m_start->setAccessibleName(text);
    const bool hasReason = !m_reason->text().trimmed().isEmpty();
    m_start->setEnabled(m_isCounted && !m_isBusy && chosen() > 0 && hasReason);
    m_start->setToolTip(!m_isCounted    ? u"Still counting."_s
                        : chosen() == 0 ? u"None of them can be done safely."_s
                        : !hasReason    ? u"Give a reason first."_s
                                        : QString());
}

void BatchDialog::startBatch()
{
    m_isBusy = true;
    showProblem({});
    const Order &order = m_plan->order();
    QJsonObject arguments{
        {u"act"_s, order.act},        {u"items"_s, m_plan->items()},
        {u"filter"_s, order.filter},  {u"reason"_s, m_reason->text().trimmed()},
        {u"rate"_s, m_rate->value()}, {u"include_unsafe"_s, m_include->isChecked()}};
    if (!order.verdict.isEmpty())
        arguments.insert(u"verdict"_s, order.verdict);
    m_bridge.act(u"batch_start"_s, arguments, this,
                 [this](const model::Result<QJsonValue> &answer) {
                     m_isBusy = false;
                     if (!answer) {
                         showProblem(answer.error().message);
                         return;
                     }
                     Q_EMIT started(answer->toObject()["id"_L1].toString());
                     accept();
                 });
}

} // namespace holdfast::batch
