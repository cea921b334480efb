#include "ui/runs/run_work.h"

#include "ui/runs/work_bar.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/plain_text.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QJsonArray>
#include <QVBoxLayout>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;
using widgets::ActDialog;

namespace
{
bool isOnTheWire(const QJsonObject &run)
{
    const QJsonArray steps = run["steps"_L1].toArray();
    for (const QJsonValue &step : steps) {
        const QJsonArray attempts = step["attempts"_L1].toArray();
        for (const QJsonValue &attempt : attempts) {
            if (attempt["ended_at"_L1].isNull())
                return true;
        }
    }
    return false;
}

QString actWord(const QString &act)
{
    return act == "rerun"_L1 ? u"Run again"_s : act.at(0).toUpper() + act.mid(1);
}
} // namespace

QString Choice::text() const
{
    if (isAllThatMatch)
        return u"all %L1%2 that match"_s.arg(count).arg(isCapped ? u"+"_s : QString());
    return lines.size() == 1 ? u"1 run"_s : u"%L1 runs"_s.arg(lines.size());
}

RunWork::RunWork(bridge::Bridge &bridge, QWidget *parent) : QWidget(parent), m_bridge(bridge)
{
    m_batchBar = new WorkBar(u"batch"_s, this);
    m_exportBar = new WorkBar(u"export"_s, this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_batchBar);
    column->addWidget(m_exportBar);
    connect(m_batchBar, &WorkBar::stopWanted, this, [this] {
        if (m_batch)
            m_batch->stop();
    });
    connect(m_exportBar, &WorkBar::stopWanted, this, [this] {
        if (m_export)
            m_export->stop();
    });
}

void RunWork::act(const QString &act, const Choice &choice)
{
    const bool isOne = !choice.isAllThatMatch && choice.lines.size() == 1;
    if (!isOne) {
        openDialog(act, choice, {});
        return;
    }
    if (m_isLooking)
        return;
    m_isLooking = true;
    m_bridge.ask(u"show"_s, {{u"run"_s, choice.lines.first().runId}}, this,
                 [this, act, choice](const Result<QJsonValue> &answer) {
                     m_isLooking = false;
                     if (answer)
                         openDialog(act, choice, answer->toObject());
                     else
                         Q_EMIT said(answer.error().message);
                 });
}

void RunWork::openDialog(const QString &act, const Choice &choice, const QJsonObject &seen)
{
    const bool isOne = !seen.isEmpty();
    const QJsonObject action = seen["actions"_L1][act].toObject();
    widgets::RunAct about;
    about.act = act;
    about.count = isOne ? 1 : choice.isAllThatMatch ? choice.count : int(choice.lines.size());
    if (isOne)
        about.name = widgets::plainText(choice.lines.first().eventId, 60);
    about.isOnTheWire = isOnTheWire(seen);
    about.hasEffects = action["may_confirm"_L1].toBool();
    if (isOne && action["allowed"_L1].toBool())
        about.then = action["why"_L1].toString();
    auto *dialog = new ActDialog(widgets::runActText(about), this);
    if (isOne && !action.isEmpty() && !action["allowed"_L1].toBool() && !about.hasEffects)
        dialog->refuse(action["why"_L1].toString());
    connect(dialog, &ActDialog::confirmed, this, [=, this](const QString &reason) {
        if (isOne) {
            actOnOne(act, seen, dialog);
        } else {
            dialog->accept();
            actOnMany(act, choice, reason);
        }
    });
    dialog->open();
}

void RunWork::actOnOne(const QString &act, const QJsonObject &seen, ActDialog *dialog)
{
    dialog->setBusy(true);
    QJsonObject arguments = actArguments(act, seen, dialog->reason());
    if (dialog->isConfirmed())
        arguments.insert(u"confirm"_s, true);
    m_bridge.act(act, arguments, this,
                 [this, act, dialog = QPointer(dialog)](const Result<QJsonValue> &answer) {
                     if (!answer && dialog) {
                         dialog->showProblem(answer.error().message);
                         return;
                     }
                     if (!answer) {
                         Q_EMIT said(answer.error().message);
                         return;
                     }
                     if (dialog)
                         dialog->accept();
                     const QString run = answer->toObject()["run_id"_L1].toString();
                     Q_EMIT said(
                         act == "rerun"_L1
                             ? u"Run %1 was started."_s.arg(run)
                             : u"%1 is recorded; the engine applies it."_s.arg(actWord(act)));
                     if (act == "rerun"_L1)
                         Q_EMIT started(run);
                 });
}

void RunWork::actOnMany(const QString &act, const Choice &choice, const QString &reason)
{
    if (m_batch) {
        Q_EMIT said(u"Another act on several runs is still under way; stop it or let it end."_s);
        return;
    }
    RunBatch::Order order{act, reason, {}, choice.isAllThatMatch, choice.filter};
    if (!choice.isAllThatMatch) {
        for (const RunLine &line : choice.lines)
            order.runs << line.runId;
    }
    m_batch = new RunBatch(m_bridge, order, this);
    m_batchBar->begin(u"%1: %2"_s.arg(actWord(act), choice.text()));
    connect(m_batch, &RunBatch::progressed, this, &RunWork::showBatch);
    connect(m_batch, &RunBatch::finished, this, [this] {
        QStringList lines;
        for (const RunBatch::Refusal &refusal : m_batch->refusals())
            lines << (refusal.run.isEmpty() ? refusal.why : refusal.run + u": "_s + refusal.why);
        QString text =
            u"%1: %L2 recorded"_s.arg(actWord(m_batch->order().act)).arg(m_batch->recorded());
        if (!lines.isEmpty())
            text += u", %L1 refused"_s.arg(lines.size());
        const int left = m_batch->total() - m_batch->done();
        if (left > 0)
            text += u", stopped before %L1 more"_s.arg(left);
        m_batchBar->end(text + u'.', lines.isEmpty(), lines.join(u'\n'));
        m_batch->deleteLater();
        m_batch.clear();
    });
    m_batch->start();
}

void RunWork::showBatch()
{
    m_batchBar->setProgress(u"%1: %L2 of %L3, %L4 refused"_s.arg(actWord(m_batch->order().act))
                                .arg(m_batch->done())
                                .arg(m_batch->total())
                                .arg(m_batch->refusals().size()),
                            m_batch->done(), m_batch->total());
}

void RunWork::chooseFile(const Choice &choice)
{
    if (m_export) {
        Q_EMIT said(u"An export is under way; stop it or let it end."_s);
        return;
    }
    auto *dialog = new QFileDialog(this, u"Export %1"_s.arg(choice.text()));
    dialog->setObjectName(u"exportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({u"CSV for spreadsheets (*.csv)"_s, u"JSON (*.json)"_s});
    dialog->setDefaultSuffix(u"csv"_s);
    dialog->selectFile(QDir::home().filePath(u"runs.csv"_s));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(filter.contains("json"_L1) ? u"json"_s : u"csv"_s);
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this, choice](const QString &path) {
        const bool isJson = path.endsWith(".json"_L1, Qt::CaseInsensitive);
        exportTo(path, isJson ? ExportFormat::json : ExportFormat::csv, choice);
    });
    dialog->open();
}

void RunWork::exportTo(const QString &path, ExportFormat format, const Choice &choice)
{
    RunExport::Order order{path, format, choice.filter, {}};
    if (!choice.isAllThatMatch) {
        for (const RunLine &line : choice.lines)
            order.runs << line.runId;
    }
    const qint64 total = !choice.isAllThatMatch ? choice.lines.size()
                         : choice.isCapped      ? 0
                                                : choice.count;
    m_export = new RunExport(m_bridge, order, this);
    m_exportBar->begin(u"Exporting %1…"_s.arg(choice.text()));
    const auto end = [this](const QString &text, bool isGood) {
        m_exportBar->end(text, isGood);
        m_export->deleteLater();
        m_export.clear();
    };
    connect(m_export, &RunExport::progressed, this, [this, total](qint64 written) {
        m_exportBar->setProgress(u"Exporting: %L1 runs written"_s.arg(written), written, total);
    });
    connect(m_export, &RunExport::finished, this, [this, end, path] {
        end(u"%L1 runs were written to %2."_s.arg(m_export->written()).arg(path), true);
    });
    connect(m_export, &RunExport::stopped, this,
            [end] { end(u"The export was stopped; no file was written."_s, false); });
    connect(m_export, &RunExport::failed, this, [end](const QString &why) {
        end(u"The export did not work and no file was written: %1"_s.arg(why), false);
    });
    m_export->start();
}

} // namespace holdfast::runs
