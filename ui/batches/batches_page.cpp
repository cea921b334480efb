#include "ui/batches/batches_page.h"

#include "ui/batch/batch_look.h"
#include "ui/style/status_look.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QComboBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

namespace holdfast::batches
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int itemsPage = 200;

// Whatever is not there yet is not said.
QString countsText(const QJsonObject &counts, const QStringList &names,
                   const std::function<QString(const QString &)> &look)
{
    QStringList parts;
    for (const QString &name : names) {
        if (const qint64 count = counts[name].toInteger(); count > 0)
            parts << u"%1 %L2"_s.arg(look(name)).arg(count);
    }
    return parts.join(u"   "_s);
}
} // namespace

BatchesPage::BatchesPage(bridge::Bridge &bridge) : Page(bridge, u"batches"_s, u"Batches"_s)
{
    build();
    connectAll();
}

QWidget *BatchesPage::first() { return m_listTable; }

QJsonObject BatchesPage::where() const
{
    return m_chosen.isEmpty() ? QJsonObject() : QJsonObject{{u"batch"_s, m_chosen}};
}

void BatchesPage::open(const QJsonObject &where)
{
    if (const QString batch = where["batch"_L1].toString(); !batch.isEmpty())
        choose(batch);
    refresh();
}

// One question at a time; what changed meanwhile is asked for afterwards.
void BatchesPage::refresh()
{
    if (m_isAsking) {
        m_isWanted = true;
        return;
    }
    m_isAsking = true;
    m_isWanted = false;
    bridge().ask(u"batches"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        m_isAsking = false;
        if (!answer) {
            showProblem(answer.error().message);
            return;
        }
        showProblem({});
        const QJsonArray rows = answer->toObject()["batches"_L1].toArray();
        m_listTable->changeInPlace([&] { m_list->setRows(rows); });
        if (m_chosen.isEmpty() && !rows.isEmpty())
            choose(rows.first()["id"_L1].toString());
        const int row = m_list->indexOf(m_chosen);
        if (row >= 0 && m_listTable->currentIndex().row() != row)
            m_listTable->selectRow(row);
        askBatch();
        if (m_isWanted)
            refresh();
    });
}

void BatchesPage::choose(const QString &batch)
{
    if (m_chosen == batch)
        return;
    m_chosen = batch;
    m_batch = {};
    m_items->setRows({});
    m_filter->setCurrentIndex(0);
    askBatch();
    Q_EMIT placeChanged();
}

void BatchesPage::askBatch()
{
    if (m_chosen.isEmpty())
        return;
    const QString batch = m_chosen;
    bridge().ask(u"batch"_s, {{u"batch"_s, batch}}, this,
                 [this, batch](const Result<QJsonValue> &answer) {
                     if (batch != m_chosen)
                         return;
                     if (!answer) {
                         showProblem(answer.error().message);
                         return;
                     }
                     m_batch = answer->toObject();
                     showBatch();
                 });
    askItems(false);
}

void BatchesPage::askItems(bool isMore)
{
    const QString batch = m_chosen;
    const QString state = m_filter->currentData().toString();
    QJsonObject arguments{{u"batch"_s, batch}, {u"limit"_s, itemsPage}};
    if (!state.isEmpty())
        arguments.insert(u"state"_s, state);
    if (isMore)
        arguments.insert(u"after"_s, m_after);
    bridge().ask(u"batch_items"_s, arguments, this,
                 [this, batch, state, isMore](const Result<QJsonValue> &answer) {
                     if (batch != m_chosen || state != m_filter->currentData().toString())
                         return;
                     if (answer)
                         showItems(answer->toObject(), isMore);
                     else
                         showProblem(answer.error().message);
                 });
}

void BatchesPage::showItems(const QJsonObject &answer, bool isMore)
{
    const QJsonArray rows = answer["items"_L1].toArray();
    // A person who has gone further down keeps what they see until they choose anew.
    if (!isMore && m_items->rowCount() > itemsPage)
        return;
    m_itemTable->changeInPlace([&] {
        if (isMore)
            m_items->appendRows(rows);
        else
            m_items->setRows(rows);
    });
    m_after = answer["after"_L1].toInt();
    m_more->setVisible(!answer["after"_L1].isNull());
}

void BatchesPage::showBatch()
{
    m_stack->setCurrentIndex(1);
    const QString state = m_batch["state"_L1].toString();
    const batch::Look look = batch::batchLook(state);
    m_state->setText(look.text);
    m_state->setToken(look.token);
    const QString filter = m_batch["filter"_L1].toString();
    m_about->setText(u"%1 by %2, %3%4: %5"_s.arg(
        batch::actText(m_batch["act"_L1].toString(), m_batch["verdict"_L1].toString()),
        m_batch["actor"_L1].toString(),
        widgets::shortTime(widgets::instantOf(m_batch["started_at"_L1])),
        filter.isEmpty() ? QString() : u", "_s + filter, m_batch["reason"_L1].toString()));
    QString note = m_batch["note"_L1].toString();
    if (state == "running"_L1 && m_batch["workers_alive"_L1].toInt() == 0)
        note = u"No worker is running; it goes on when one does."_s;
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_progress->setRange(0, m_batch["chosen"_L1].toInt());
    m_progress->setValue(m_batch["taken"_L1].toInt());
    const QJsonObject totals = m_batch["totals"_L1].toObject();
    const QStringList states{u"applied"_s, u"refused"_s, u"recorded"_s,
                             u"pending"_s, u"skipped"_s, u"apart"_s};
    m_totals->setText(
        u"%L1 items:   %2"_s.arg(m_batch["items"_L1].toInt())
            .arg(countsText(totals["states"_L1].toObject(), states,
                            [](const QString &name) { return batch::itemLook(name).text; })));
    const QString now =
        countsText(totals["runs_now"_L1].toObject(), style::statusNames(),
                   [](const QString &name) { return style::statusLook(name).text(); });
    m_now->setText(u"Their runs now:   "_s + now);
    m_now->setVisible(!now.isEmpty());
    m_hold->setEnabled(state == "running"_L1);
    m_go->setEnabled(state == "held"_L1);
    m_stop->setEnabled(state == "running"_L1 || state == "held"_L1);
}

void BatchesPage::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

void BatchesPage::tell(const QString &word)
{
    bridge().act(u"batch_do"_s, {{u"batch"_s, m_chosen}, {u"do"_s, word}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     if (!answer) {
                         showProblem(answer.error().message);
                         return;
                     }
                     m_batch = answer->toObject();
                     showBatch();
                     Q_EMIT said(u"The batch is %1."_s.arg(m_batch["state"_L1].toString()));
                     refresh();
                 });
}

void BatchesPage::openItem(int row)
{
    if (row < 0)
        return;
    const QString run = m_items->row(row)["run_id"_L1].toString();
    if (!run.isEmpty())
        Q_EMIT goTo(u"run"_s, {{u"run"_s, run}});
}

} // namespace holdfast::batches
