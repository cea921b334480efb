// One run whole: the verdict, the acts on it, its timeline, and the evidence for the attempt that
// is chosen. Live: what the person has chosen stays chosen while the run goes on.
#pragma once

#include "ui/inspector/curl_text.h"
#include "ui/inspector/run_story.h"
#include "ui/shell/page.h"

#include <QMap>
#include <QPointer>
#include <QTimer>

class QPushButton;
class QSplitter;

namespace holdfast::widgets
{
class ActDialog;
class SteadyTable;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class AttemptsModel;
class CompensateDialog;
class DetailTabs;
class RunHead;
class Timeline;

class InspectorPage : public shell::Page
{
    Q_OBJECT
public:
    explicit InspectorPage(bridge::Bridge &bridge);

    void refresh() override;
    // {"run": id}; with "act": "compensate" the preview opens as soon as the run is read.
    void open(const QJsonObject &where) override;
    QJsonObject where() const override;
    QWidget *first() override;

    const RunStory &story() const { return m_story; }
    Timeline *timeline() const { return m_timeline; }
    DetailTabs *details() const { return m_details; }

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildActions();
    QAction *listAction(const QString &name, const QString &text, const QKeySequence &key);
    void buildLayout();
    QWidget *buildActRow();
    QPushButton *buttonOf(QAction *action);
    void connectParts();

    void read(const QJsonObject &show);
    void showStory();
    void fitTimeline();
    void showActions();
    void choose(int attempt);
    void askLedger();
    void askDependencies();
    void tick();

    void act(const QString &name);
    void send(const QString &name, widgets::ActDialog *dialog, qint64 version);
    void compensate();
    void addNote(const QString &text);
    void copy(const QString &text, const QString &what);
    QJsonObject actionOf(const QString &name) const;

    QString m_runId;
    QString m_actWanted; // once the run is read
    RunStory m_story;
    QString m_chosen; // the attempt's rowId
    bool m_isAsking = false;
    bool m_askAgain = false;
    qint64 m_ledgerSeq = -1; // the version the ledger was read for
    QMap<QString, Outgoing> m_outgoing;
    QTimer m_timer;

    RunHead *m_head = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QWidget *m_body = nullptr;
    QSplitter *m_split = nullptr;
    bool m_isSplitByHand = false; // else the timeline has the height it needs
    Timeline *m_timeline = nullptr;
    AttemptsModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    DetailTabs *m_details = nullptr;
    QPushButton *m_copy = nullptr;
    QVector<QAction *> m_acts;
    QVector<QAction *> m_copies;
    QPointer<CompensateDialog> m_dialog;
};

} // namespace holdfast::inspector
