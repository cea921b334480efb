// What is known about the attempt that is chosen, and about the run around it.
#pragma once

#include "ui/inspector/curl_text.h"
#include "ui/inspector/run_story.h"

#include <QTabWidget>

class QPushButton;

namespace holdfast::widgets
{
class JsonTableModel;
class SteadyTable;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class CodePanel;
class FactList;
class JournalPanel;
class NotesPanel;

class DetailTabs : public QTabWidget
{
    Q_OBJECT
public:
    enum Tab { attemptTab, requestTab, responseTab, contractTab, ledgerTab, journalTab, notesTab };

    explicit DetailTabs(QWidget *parent = nullptr);

    void setStory(const RunStory &story, int chosen, model::Instant now);
    void setOutgoing(const QMap<QString, Outgoing> &outgoing); // by dependency
    void setLedger(const QJsonArray &rows);
    // The request of the chosen attempt as a command line; empty: there is none.
    QString curl() const;
    NotesPanel *notesPanel() const { return m_notes; }

Q_SIGNALS:
    void curlWanted();
    void ledgerWanted(const QString &key); // to see the key among all keys
    void copyWanted(const QString &text, const QString &what);

private:
    void buildAttempt();
    void showAttempt();
    void showRequest();
    void showResponse();
    void showContract();
    QString keyOf(const AttemptStory &attempt) const;
    Outgoing outgoingOf(const AttemptStory &attempt) const;

    RunStory m_story;
    int m_chosen = -1;
    QString m_shownStep; // the contract stands at this step
    model::Instant m_now = 0;
    QMap<QString, Outgoing> m_outgoing;
    FactList *m_facts = nullptr;
    QPushButton *m_copyKey = nullptr;
    QPushButton *m_openKey = nullptr;
    CodePanel *m_request = nullptr;
    CodePanel *m_response = nullptr;
    CodePanel *m_contract = nullptr;
    widgets::JsonTableModel *m_ledgerModel = nullptr;
    widgets::SteadyTable *m_ledger = nullptr;
    JournalPanel *m_journal = nullptr;
    NotesPanel *m_notes = nullptr;
};

} // namespace holdfast::inspector
