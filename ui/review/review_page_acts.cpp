// What a person does on the page: answers, takes back, claims, snoozes, notes.
#include "ui/batch/batch_dialog.h"
#include "ui/review/desk.h"
#include "ui/review/kind_tabs.h"
#include "ui/review/note_dialog.h"
#include "ui/review/review_detail.h"
#include "ui/review/review_list.h"
#include "ui/review/review_model.h"
#include "ui/review/review_page.h"
#include "ui/widgets/times.h"
#include "ui/widgets/wrap_label.h"

#include <QAccessible>
#include <QCheckBox>
#include <QDateTime>
#include <QJsonArray>
#include <QMenu>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
QString nameOf(const Item &item)
{
    return item.key.isEmpty() ? item.what() : item.what() + u" · "_s + item.key;
}
} // namespace

void ReviewPage::open(const QJsonObject &where)
{
    if (where.contains("kind"_L1))
        m_tabs->setKind(where.value("kind"_L1).toString());
    const QString id = where.value("review"_L1).toString();
    if (id.isEmpty())
        return;
    // It may be of another kind, snoozed, or decided; a link leads to it all the same.
    m_link = id;
    for (const Item &item : std::as_const(m_items)) {
        if (item.id != id)
            continue;
        if (!m_tabs->kind().isEmpty() && m_tabs->kind() != item.kind)
            m_tabs->setKind({});
        if (item.isSnoozed(bridge().now()))
            m_snoozed->setChecked(true);
        m_mine->setChecked(m_mine->isChecked() &&
                           item.claimant(bridge().now()) == bridge().actor());
    }
    showItems();
    if (m_list->currentId() != id) {
        m_list->setCurrentIndex({});
        m_link = id;
        askDetail();
    }
    refresh();
}

QJsonObject ReviewPage::where() const
{
    QJsonObject where;
    if (!m_tabs->kind().isEmpty())
        where.insert(u"kind"_s, m_tabs->kind());
    if (!m_list->currentId().isEmpty())
        where.insert(u"review"_s, m_list->currentId());
    return where;
}

void ReviewPage::say(const QString &text, Token token)
{
    m_notice->setToken(token);
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    QAccessibleEvent alert(m_notice, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void ReviewPage::answered(const Answer &answer)
{
    if (answer.verdict == "compensate"_L1)
        openRun(true);
    else if (answer.verdict == "snooze"_L1)
        snooze();
    else
        decide(answer);
}

void ReviewPage::decide(const Answer &answer)
{
    const Item &item = m_detail->item();
    if (m_desk->isPending(item.id))
        return;
    const bool onlyAsks = answer.verdict == "verify"_L1;
    Decision decision;
    decision.reviewId = item.id;
    decision.runId = item.runId;
    decision.answer = answer.label;
    decision.what = nameOf(item);
    decision.draft = m_detail->answers().draft();
    const QString reason = answer.reason.isEmpty() ? u"verify again"_s : answer.reason;
    decision.arguments = {
        {u"review"_s, item.id}, {u"reason"_s, reason}, {u"version"_s, item.version}};
    if (answer.verdict == "approve"_L1 || answer.verdict == "reject"_L1) {
        decision.operation = answer.verdict;
        const QString hash = m_detail->detail()["evidence"_L1]["hash"_L1].toString();
        if (answer.verdict == "approve"_L1 && !hash.isEmpty())
            decision.arguments.insert(u"hash"_s, hash);
    } else {
        decision.operation = u"resolve"_s;
        decision.arguments.insert(u"verdict"_s, answer.verdict);
        if (answer.hasReceipt)
            decision.arguments.insert(u"receipt"_s, answer.receipt);
    }
    say({}, Token::attention);
    m_list->setFocus(Qt::OtherFocusReason);
    if (onlyAsks) {
        m_desk->send(decision);
        return;
    }
    // Said in the status bar, which stays in sight on other pages.
    Q_EMIT said(u"%1, %2, is sent in %3 s; until then it can be undone on the review page."_s
                    .arg(decision.answer, decision.what)
                    .arg(m_desk->grace().millis() / 1000));
    m_desk->decide(decision);
    selectNext();
}

// On to the next item that nobody has answered yet, from here down and then from the top.
void ReviewPage::selectNext()
{
    const int count = m_model->rowCount();
    const int at = m_list->currentIndex().row();
    for (int step = 1; step < count; ++step) {
        const int row = (at + step) % count;
        if (m_desk->isPending(m_model->rows().at(row).id))
            continue;
        m_list->setCurrentIndex(m_model->index(row, 0));
        return;
    }
}

void ReviewPage::undo()
{
    const auto decision = m_desk->grace().undo();
    if (!decision) {
        Q_EMIT said(u"There is no answer to undo: what was sent cannot be called back."_s);
        return;
    }
    Q_EMIT said(u"Undone: %1, %2. Nothing was sent."_s.arg(decision->answer, decision->what));
    m_drafts.insert(decision->reviewId, decision->draft);
    select(decision->reviewId);
    if (m_detail->item().id == decision->reviewId)
        m_detail->answers().setDraft(decision->draft);
    m_list->setFocus(Qt::OtherFocusReason);
}

void ReviewPage::refused(const Decision &decision, const QString &sentence)
{
    m_drafts.insert(decision.reviewId, decision.draft);
    m_explained = decision.reviewId;
    say(u"▲ "_s + sentence, Token::bad);
    Q_EMIT said(sentence);
    refresh();
}

// The item a person was looking at is gone without their doing: they are told who did it.
void ReviewPage::leftTheList(const Item &item)
{
    if (item.id == m_explained)
        return;
    bridge().ask(u"review"_s, {{u"review"_s, item.id}}, this,
                 [this, item](const Result<QJsonValue> &answer) {
                     const QJsonObject detail = answer ? answer->toObject() : QJsonObject();
                     const QString by = detail.value("decided_by"_L1).toString();
                     if (by.isEmpty() || by == bridge().actor())
                         return;
                     const QString reason = detail.value("reason"_L1).toString();
                     m_drafts.remove(item.id);
                     say(u"%1 answered %2 with “%3” at %4%5. It has left the list."_s.arg(
                             by, nameOf(item), detail.value("decision"_L1).toString(),
                             widgets::shortTime(widgets::instantOf(detail.value("decided_at"_L1))),
                             reason.isEmpty() ? QString() : u" (%1)"_s.arg(reason)),
                         Token::attention);
                 });
}

void ReviewPage::openRun(bool toCompensate)
{
    const QString runId = m_detail->item().runId;
    if (runId.isEmpty()) {
        Q_EMIT said(u"This item concerns no single run."_s);
        return;
    }
    QJsonObject where{{u"run"_s, runId}};
    if (toCompensate)
        where.insert(u"act"_s, u"compensate"_s);
    Q_EMIT goTo(u"run"_s, where);
}

void ReviewPage::act(const QString &name, const QJsonObject &arguments, const QString &done)
{
    bridge().act(name, arguments, this, [this, done](const Result<QJsonValue> &answer) {
        if (answer)
            Q_EMIT said(done);
        else
            say(u"▲ "_s + answer.error().message, Token::bad);
        refresh();
    });
}

void ReviewPage::claim()
{
    const Item &item = m_detail->item();
    if (item.id.isEmpty() || m_detail->isDecided())
        return;
    const bool isMine = item.claimant(bridge().now()) == bridge().actor();
    act(u"claim"_s, {{u"review"_s, item.id}, {u"release"_s, isMine}},
        isMine ? u"Released: %1."_s.arg(nameOf(item))
               : u"Claimed for 30 minutes: %1."_s.arg(nameOf(item)));
}

void ReviewPage::snooze()
{
    const Item &item = m_detail->item();
    if (item.id.isEmpty() || m_detail->isDecided())
        return;
    const model::Instant now = bridge().now();
    const QDateTime morning(QDate::currentDate().addDays(1), QTime(8, 0));
    auto *menu = new QMenu(this);
    menu->setObjectName(u"snoozeMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &text, model::Instant until) {
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, until] { snoozeUntil(until); });
    };
    add(u"For &30 minutes"_s, now + 30 * model::minute);
    add(u"For &2 hours"_s, now + 2 * model::hour);
    add(u"Until &tomorrow 08:00"_s, morning.toMSecsSinceEpoch());
    if (item.isSnoozed(now))
        add(u"&Wake it now"_s, model::never);
    menu->popup(m_list->mapToGlobal(m_list->visualRect(m_list->currentIndex()).bottomLeft()));
    menu->setActiveAction(menu->actions().first());
}

// Which answers make sense is the engine's to say of each; these are those it allows for the one
// that is shown. Nobody approves in a batch.
void ReviewPage::answerSimilar()
{
    if (m_detail->item().id.isEmpty() || m_detail->isDecided())
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(u"similarMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QJsonArray answers = m_detail->detail()["answers"_L1].toArray();
    for (const QJsonValue &answer : answers) {
        if (answer["operation"_L1].toString() != "resolve"_L1 || !answer["allowed"_L1].toBool())
            continue;
        connect(menu->addAction(answer["label"_L1].toString()), &QAction::triggered, this,
                [this, verdict = answer["verdict"_L1].toString()] { answerInBatch(verdict); });
    }
    if (menu->isEmpty()) {
        menu->deleteLater();
        Q_EMIT said(u"This item has no answer that many could share."_s);
        return;
    }
    menu->popup(m_list->mapToGlobal(m_list->visualRect(m_list->currentIndex()).bottomLeft()));
    menu->setActiveAction(menu->actions().first());
}

void ReviewPage::answerInBatch(const QString &verdict)
{
    const Item &like = m_detail->item();
    batch::Order order;
    order.act = u"resolve"_s;
    order.verdict = verdict;
    for (const Item &item : std::as_const(m_items)) {
        const bool isSimilar = item.kind == like.kind && item.workflow == like.workflow &&
                               item.step == like.step && item.direction == like.direction;
        if (isSimilar && !m_desk->isPending(item.id))
            order.items << item.id;
    }
    const QString what = u"%L1 items like %2"_s.arg(order.items.size()).arg(like.what());
    auto *dialog = new batch::BatchDialog(bridge(), order, what, this);
    connect(dialog, &batch::BatchDialog::started, this, [this](const QString &batch) {
        Q_EMIT goTo(u"batches"_s, {{u"batch"_s, batch}});
    });
    dialog->open();
}

void ReviewPage::snoozeUntil(model::Instant until)
{
    const Item &item = m_detail->item();
    const bool wakes = until == model::never;
    act(u"snooze"_s,
        {{u"review"_s, item.id},
         {u"until"_s, wakes ? QJsonValue() : QJsonValue(model::instantText(until))}},
        wakes ? u"Awake again: %1."_s.arg(nameOf(item))
              : u"Snoozed until %1: %2."_s.arg(widgets::shortTime(until), nameOf(item)));
}

void ReviewPage::note()
{
    const Item item = m_detail->item();
    if (item.runId.isEmpty())
        return;
    auto *dialog = new NoteDialog(nameOf(item), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NoteDialog::noted, this, [this, item](const QString &text) {
        act(u"note"_s, {{u"run"_s, item.runId}, {u"text"_s, text}},
            u"Note added to %1."_s.arg(nameOf(item)));
    });
    dialog->open();
}

} // namespace holdfast::review
