#include "ui/runs/run_work.h"

#include "ui/batch/batch_dialog.h"
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
// What the door is given for an act on a run that was seen like this.
QJsonObject actArguments(const QString &act, const QJsonObject &seen, const QString &reason)
{
    QJsonObject arguments{{u"run"_s, seen["run_id"_L1]}, {u"reason"_s, reason}};
    // Of a rerun, "version" is the workflow's; the others are bound to what the person saw.
    if (act != "rerun"_L1)
        arguments.insert(u"version"_s, seen["seq"_L1]);
    return arguments;
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
    m_exportBar = new WorkBar(u"export"_s, this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_exportBar);
    connect(m_exportBar, &WorkBar::stopWanted, this, [this] {
        if (m_export)
            m_export->stop();
    });
}

void RunWork::act(const QString &act, const Choice &choice)
{
    const bool isOne = !choice.isAllThatMatch && choice.lines.size() == 1;
    if (!isOne) {
        actOnMany(act, choice);
        return;
    }
    if (m_isLooking)
        return;
    m_isLooking = true;
    m_bridge.ask(u"show"_s, {{u"run"_s, choice.lines.first().runId}}, this,
                 [this, act, choice](const Result<QJsonValue> &answer) {
                     m_isLooking = false;
                     if (answer)
                         openDialog(act, choice.lines.first(), answer->toObject());
                     else
                         Q_EMIT said(answer.error().message);
                 });
}

void RunWork::openDialog(const QString &act, const RunLine &line, const QJsonObject &seen)
{
    const QJsonObject action = seen["actions"_L1][act].toObject();
    widgets::RunAct about;
    about.act = act;
    about.name = widgets::plainText(line.eventId, 60);
    about.isOnTheWire = isOnTheWire(seen);
    about.hasEffects = action["may_confirm"_L1].toBool();
    if (action["allowed"_L1].toBool())
        about.then = action["why"_L1].toString();
    auto *dialog = new ActDialog(widgets::runActText(about), this);
    if (!action.isEmpty() && !action["allowed"_L1].toBool() && !about.hasEffects)
        dialog->refuse(action["why"_L1].toString());
    connect(dialog, &ActDialog::confirmed, this,
            [this, act, seen, dialog] { actOnOne(act, seen, dialog); });
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

void RunWork::actOnMany(const QString &act, const Choice &choice)
{
    batch::Order order;
    order.act = act;
    order.filter = choice.filter;
    if (!choice.isAllThatMatch) {
        order.filter.clear();
        for (const RunLine &line : choice.lines)
            order.runs << line.runId;
    }
    auto *dialog = new batch::BatchDialog(m_bridge, order, choice.text(), this);
    connect(dialog, &batch::BatchDialog::started, this, &RunWork::batchStarted);
    dialog->open();
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
