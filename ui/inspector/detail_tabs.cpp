#include "ui/inspector/detail_tabs.h"

#include "model/json.h"
#include "ui/inspector/attempt_look.h"
#include "ui/inspector/code_panel.h"
#include "ui/inspector/fact_list.h"
#include "ui/inspector/journal_panel.h"
#include "ui/inspector/notes_panel.h"
#include "ui/inspector/record_columns.h"
#include "ui/style/step_look.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/times.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTabBar>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
QString jsonText(const QJsonValue &value)
{
    if (value.isNull() || value.isUndefined())
        return {};
    return QString::fromUtf8(model::compactJson(value));
}

QString classText(const AttemptStory &attempt)
{
    QString text = attemptLook(attempt).text();
    if (!attempt.reason.isEmpty() && attempt.reason != "ok"_L1)
        text += u": "_s + QString(attempt.reason).replace(u'_', u' ');
    return attempt.status > 0 ? text + u" (status %1)"_s.arg(attempt.status) : text;
}
} // namespace

DetailTabs::DetailTabs(QWidget *parent) : QTabWidget(parent)
{
    setObjectName(u"details"_s);
    setDocumentMode(true);
    tabBar()->setAccessibleName(u"Details"_s);
    buildAttempt();
    m_request = new CodePanel(u"request"_s, u"Request"_s);
    QPushButton *copyCurl = m_request->addButton(u"copyCurlButton"_s, u"Copy as curl"_s);
    connect(copyCurl, &QPushButton::clicked, this, &DetailTabs::curlWanted);
    addTab(m_request, u"Re&quest"_s);
    m_response = new CodePanel(u"response"_s, u"Response"_s);
    addTab(m_response, u"Re&sponse"_s);
    m_contract = new CodePanel(u"contract"_s, u"Contract in force"_s);
    addTab(m_contract, u"Contract"_s);
    m_ledgerModel = new widgets::JsonTableModel(
        ledgerColumns(),
        [](const QJsonObject &row) {
            return row["key"_L1].toString() + u'/' + row["operation"_L1].toString();
        },
        this);
    m_ledger = recordTable(u"ledgerTable"_s, u"Keys of this run in the ledger"_s, m_ledgerModel,
                           {34, 16, 18, 24, 16, 20});
    connect(m_ledger, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT ledgerWanted(m_ledgerModel->row(index.row())["key"_L1].toString());
    });
    addTab(m_ledger, u"Ledger"_s);
    m_journal = new JournalPanel;
    addTab(m_journal, u"Journal"_s);
    m_notes = new NotesPanel;
    addTab(m_notes, u"Notes"_s);
}

void DetailTabs::buildAttempt()
{
    m_facts = new FactList(u"attemptFacts"_s, u"Facts about the attempt"_s);
    auto *foot = new QWidget;
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(0, fontMetrics().height() / 2, 0, 0);
    m_copyKey = new QPushButton;
    widgets::setRoomyText(m_copyKey, u"Copy key"_s);
    m_copyKey->setObjectName(u"copyKey"_s);
    m_copyKey->setAccessibleName(u"Copy the key"_s);
    m_openKey = new QPushButton;
    widgets::setRoomyText(m_openKey, u"Show key in ledger"_s);
    m_openKey->setObjectName(u"openKey"_s);
    m_openKey->setAccessibleName(u"Show the key in the ledger"_s);
    row->addWidget(m_copyKey);
    row->addWidget(m_openKey);
    row->addStretch(1);
    m_facts->addFoot(foot);
    addTab(m_facts, u"Atte&mpt"_s);
    const auto key = [this] {
        return m_chosen < 0 ? QString() : keyOf(m_story.attempts.at(m_chosen));
    };
    connect(m_copyKey, &QPushButton::clicked, this,
            [this, key] { Q_EMIT copyWanted(key(), u"The key is"_s); });
    connect(m_openKey, &QPushButton::clicked, this, [this, key] { Q_EMIT ledgerWanted(key()); });
}

void DetailTabs::setStory(const RunStory &story, int chosen, model::Instant now)
{
    if (story.runId != m_story.runId) {
        m_shownStep.clear();
        m_ledgerModel->setRows({});
    }
    m_story = story;
    m_chosen = chosen < story.attempts.size() ? chosen : -1;
    m_now = now;
    showAttempt();
    showRequest();
    showResponse();
    showContract();
    m_journal->setStory(story);
    m_notes->setStory(story);
    const qsizetype count = story.notes().size();
    setTabText(notesTab, count > 0 ? u"Notes (%1)"_s.arg(count) : u"Notes"_s);
}

void DetailTabs::setOutgoing(const QMap<QString, Outgoing> &outgoing)
{
    m_outgoing = outgoing;
    showRequest();
}

void DetailTabs::setLedger(const QJsonArray &rows)
{
    m_ledger->changeInPlace([&] { m_ledgerModel->setRows(rows); });
    setTabText(ledgerTab, rows.isEmpty() ? u"Ledger"_s : u"Ledger (%1)"_s.arg(rows.size()));
}

QString DetailTabs::keyOf(const AttemptStory &attempt) const
{
    const StepStory *step = m_story.step(attempt.step);
    if (!step)
        return {};
    const QString undo = step->whole["compensation"_L1]["key"_L1].toString();
    return attempt.direction == "compensate"_L1 ? undo : step->key;
}

Outgoing DetailTabs::outgoingOf(const AttemptStory &attempt) const
{
    const StepStory *step = m_story.step(attempt.step);
    return step ? m_outgoing.value(step->dependency) : Outgoing();
}

QString DetailTabs::curl() const
{
    if (m_chosen < 0)
        return {};
    const AttemptStory &attempt = m_story.attempts.at(m_chosen);
    return attempt.request.isEmpty()
               ? QString()
               : curlText(attempt.request, outgoingOf(attempt), keyOf(attempt));
}

void DetailTabs::showAttempt()
{
    m_copyKey->setVisible(m_chosen >= 0 && !keyOf(m_story.attempts.at(m_chosen)).isEmpty());
    m_openKey->setVisible(m_copyKey->isVisibleTo(m_facts));
    if (m_chosen < 0) {
        m_facts->setFacts(
            {{u"Attempt"_s,
              m_story.attempts.isEmpty() ? u"Nothing has been sent yet."_s
                                         : u"Choose one in the timeline or the table."_s,
              Token::muted}});
        return;
    }
    const AttemptStory &attempt = m_story.attempts.at(m_chosen);
    const StepStory *step = m_story.step(attempt.step);
    const bool isUndo = attempt.direction == "compensate"_L1;
    const QJsonObject whole = step ? step->whole : QJsonObject();
    const QJsonValue receipt =
        isUndo ? whole["compensation"_L1]["receipt"_L1] : whole["receipt"_L1];
    m_facts->setFacts(
        {{attempt.directionWord(), u"%1 of step %2"_s.arg(attempt.number).arg(attempt.step)},
         {u"Outcome"_s, classText(attempt), attemptLook(attempt).token},
         {u"Why"_s, attempt.why},
         {u"Error"_s, attempt.error, Token::muted},
         {u"Began"_s, widgets::fullTime(attempt.startedAt), Token::muted},
         {u"Took"_s, attempt.tookText(m_now), Token::muted},
         {u"Key"_s, keyOf(attempt)},
         {u"Receipt"_s, jsonText(receipt)},
         {u"Before"_s, jsonText(whole["before"_L1])},
         {u"Step"_s, step ? style::stepLook(step->status).text() : QString(),
          step ? style::stepLook(step->status).token : Token::text}});
}

void DetailTabs::showRequest()
{
    if (m_chosen < 0 || m_story.attempts.at(m_chosen).request.isEmpty()) {
        m_request->setText(u"No request is known for this attempt."_s, {});
        return;
    }
    const AttemptStory &attempt = m_story.attempts.at(m_chosen);
    const StepStory *step = m_story.step(attempt.step);
    m_request->setText(u"%1 %2 of %3 to %4; secrets are masked."_s.arg(attempt.directionWord())
                           .arg(attempt.number)
                           .arg(attempt.step, step ? step->dependency : QString()),
                       requestText(attempt.request, outgoingOf(attempt), keyOf(attempt)));
}

void DetailTabs::showResponse()
{
    if (m_chosen < 0) {
        m_response->setText(u"No attempt is chosen."_s, {});
        return;
    }
    const AttemptStory &attempt = m_story.attempts.at(m_chosen);
    QString caption =
        attempt.isOpen() ? u"The answer has not come yet."_s
        : attempt.status > 0
            ? u"Status %1 after %2."_s.arg(attempt.status).arg(attempt.tookText(m_now))
            : u"No answer: %1."_s.arg(QString(attempt.reason).replace(u'_', u' '));
    if (!attempt.hasResponse && attempt.status > 0)
        caption += u" Its body was empty or is not kept."_s;
    m_response->setText(caption,
                        attempt.hasResponse ? prettyText(attempt.response) : attempt.error);
}

void DetailTabs::showContract()
{
    const QJsonObject inForce = m_story.whole["contract"_L1].toObject();
    m_contract->setText(u"Workflow %1, version %2, as it was deployed; this run keeps to it."_s
                            .arg(inForce["workflow"_L1].toString(m_story.workflow))
                            .arg(inForce["version"_L1].toInt(m_story.version)),
                        inForce["source"_L1].toString());
    const QString step = m_chosen < 0 ? QString() : m_story.attempts.at(m_chosen).step;
    if (step.isEmpty() || step == m_shownStep)
        return;
    m_shownStep = step;
    const QJsonArray steps = inForce["steps"_L1].toArray();
    for (const QJsonValue &candidate : steps) {
        if (candidate["step"_L1].toString() == step)
            m_contract->goToLine(candidate["line"_L1].toInt());
    }
}

} // namespace holdfast::inspector
