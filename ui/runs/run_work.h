// What a person has done to runs of the list: acts with a reason, and exports. Each shows its
// progress in a strip of its own.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_line.h"

#include <QPointer>
#include <QWidget>

namespace holdfast::widgets
{
class ActDialog;
}

namespace holdfast::runs
{

class WorkBar;

// The runs something is about.
struct Choice {
    RunLines lines;
    bool isAllThatMatch = false;
    QString filter;
    int count = 0;         // of all that match
    bool isCapped = false; // there are more than `count`

    QString text() const; // "3 runs", "all 1,204 that match"
};

class RunWork : public QWidget
{
    Q_OBJECT
public:
    explicit RunWork(bridge::Bridge &bridge, QWidget *parent = nullptr);

    // Asks for a reason and does it; one run is looked at first and told about, several become a
    // batch.
    void act(const QString &act, const Choice &choice);
    void chooseFile(const Choice &choice);
    void exportTo(const QString &path, ExportFormat format, const Choice &choice);
    bool isExporting() const { return !m_export.isNull(); }

Q_SIGNALS:
    void said(const QString &message);
    void started(const QString &runId);      // a rerun began this run
    void batchStarted(const QString &batch); // on several runs; it has a page of its own

private:
    void openDialog(const QString &act, const RunLine &line, const QJsonObject &seen);
    void actOnOne(const QString &act, const QJsonObject &seen, widgets::ActDialog *dialog);
    void actOnMany(const QString &act, const Choice &choice);

    bridge::Bridge &m_bridge;
    WorkBar *m_exportBar = nullptr;
    QPointer<RunExport> m_export;
    bool m_isLooking = false; // the one run is being read; a second key press asks nothing
};

} // namespace holdfast::runs
