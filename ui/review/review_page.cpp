#include "ui/review/review_page.h"

#include "ui/review/desk.h"
#include "ui/review/kind_tabs.h"
#include "ui/review/review_detail.h"
#include "ui/review/review_list.h"
#include "ui/review/review_model.h"
#include "ui/review/undo_bar.h"
#include "ui/widgets/times.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QStackedWidget>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

ReviewPage::ReviewPage(bridge::Bridge &bridge)
    : Page(bridge, u"review"_s, u"Review"_s), m_desk(new Desk(bridge, this)),
      m_model(new ReviewModel(this))
{
    build();
    buildActions();
    connect(m_list, &ReviewList::currentIdChanged, this, [this](const QString &id) {
        if (!id.isEmpty())
            m_link.clear();
        Q_EMIT placeChanged();
        askDetail();
    });
    connect(m_list, &ReviewList::openWanted, this, [this] { openRun(false); });
    connect(m_list, &ReviewList::letterPressed, this, [this](const QString &letter) {
        for (auto entry = m_answerActions.cbegin(); entry != m_answerActions.cend(); ++entry) {
            if (answerKey(entry.key()) == letter && m_detail->answers().offers(entry.key()))
                m_detail->answers().choose(entry.key());
        }
    });
    connect(&m_detail->answers(), &AnswersBox::answered, this, &ReviewPage::answered);
    connect(&m_detail->answers(), &AnswersBox::leaveWanted, m_list,
            qOverload<>(&QWidget::setFocus));
    connect(&m_detail->answers(), &AnswersBox::draftChanged, this,
            [this] { m_drafts[m_detail->item().id] = m_detail->answers().draft(); });
    connect(m_detail, &ReviewDetail::claimWanted, this, &ReviewPage::claim);
    connect(m_detail, &ReviewDetail::snoozeWanted, this, &ReviewPage::snooze);
    connect(m_detail, &ReviewDetail::noteWanted, this, &ReviewPage::note);
    connect(m_detail, &ReviewDetail::openWanted, this, [this] { openRun(false); });
    connect(m_desk, &Desk::pendingChanged, this, &ReviewPage::showPending);
    connect(m_desk, &Desk::refused, this, &ReviewPage::refused);
    connect(m_desk, &Desk::recorded, this, [this](const Decision &decision) {
        m_drafts.remove(decision.reviewId);
        Q_EMIT said(u"Recorded: %1, %2."_s.arg(decision.answer, decision.what));
        refresh();
    });
    constexpr int clockMs = 10'000;
    connect(&m_clock, &QTimer::timeout, this, &ReviewPage::showItems);
    m_clock.start(clockMs);
    showItems();
}

ReviewPage::~ReviewPage() = default;

QWidget *ReviewPage::first() { return m_list; }

void ReviewPage::setGrace(int millis) { m_desk->grace().setMillis(millis); }

void ReviewPage::refresh()
{
    if (m_isAsking) {
        m_askAgain = true;
        return;
    }
    m_isAsking = true;
    bridge().ask(u"reviews"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        m_isAsking = false;
        if (answer)
            take((*answer)["reviews"_L1].toArray());
        if (std::exchange(m_askAgain, false))
            refresh();
    });
}

void ReviewPage::take(const QJsonArray &reviews)
{
    QVector<Item> items;
    items.reserve(reviews.size());
    for (const QJsonValue &review : reviews)
        items.append(Item::fromJson(review.toObject()));
    const Item shown = m_detail->item();
    const bool wasOpen = m_model->rowOf(shown.id) >= 0;
    m_isKnown = true;
    m_items = items;
    showItems();
    const bool isOpen = std::any_of(items.begin(), items.end(),
                                    [&](const Item &item) { return item.id == shown.id; });
    if (wasOpen && !isOpen)
        leftTheList(shown);
    if (m_list->currentId() == shown.id)
        askDetail();
    Q_EMIT countChanged(int(items.size()));
}

void ReviewPage::showItems()
{
    const model::Instant now = bridge().now();
    ItemFilter filter{{}, m_mine->isChecked(), m_snoozed->isChecked()};
    m_tabs->setCounts(arranged(m_items, filter, bridge().actor(), now));
    const qsizetype asleep = std::count_if(m_items.begin(), m_items.end(),
                                           [&](const Item &item) { return item.isSnoozed(now); });
    m_snoozed->setText(asleep == 0 ? u"Snoozed"_s : u"Snoozed (%1)"_s.arg(asleep));
    filter.kind = m_tabs->kind();
    const QVector<Item> shown = arranged(m_items, filter, bridge().actor(), now);
    const QString current = m_link.isEmpty() ? m_list->currentId() : m_link;
    m_list->changeInPlace([&] {
        m_model->setRows(shown);
        select(current);
    });
    m_model->setMoment(now, bridge().actor());
    if (!m_list->currentIndex().isValid() && m_link.isEmpty())
        m_list->walk(0);
    showEmpty();
}

void ReviewPage::showEmpty()
{
    const bool isEmpty = m_model->rowCount() == 0;
    // A decided item that somebody followed a link to is shown all the same.
    m_body->setCurrentIndex(isEmpty && m_detail->item().id.isEmpty() ? 1 : 0);
    if (!isEmpty)
        return;
    const model::Instant checked = bridge().lastGood();
    if (!m_isKnown) {
        m_empty->setText(bridge().isAway() ? u"Items appear here when the database answers."_s
                                           : u"Reading the items…"_s);
        m_emptyHint->setText({});
    } else if (m_items.isEmpty()) {
        m_empty->setText(u"✔ All settled."_s);
        m_emptyHint->setText(checked == model::never
                                 ? u"Nothing waits for a person."_s
                                 : u"Nothing waits for a person. Last checked %1."_s.arg(
                                       widgets::shortTime(checked)));
    } else {
        m_empty->setText(u"Nothing here."_s);
        m_emptyHint->setText(
            u"%1 open items are under another tab, snoozed, or not yours."_s.arg(m_items.size()));
    }
}

void ReviewPage::select(const QString &id)
{
    const int row = m_model->rowOf(id);
    if (row >= 0 && row != m_list->currentIndex().row())
        m_list->setCurrentIndex(m_model->index(row, 0));
}

void ReviewPage::askDetail()
{
    const QString id = m_list->currentId().isEmpty() ? m_link : m_list->currentId();
    if (id.isEmpty()) {
        m_detail->clear();
        showPending();
        showEmpty();
        return;
    }
    if (m_isAskingDetail) {
        m_askDetailAgain = true;
        return;
    }
    m_isAskingDetail = true;
    bridge().ask(u"review"_s, {{u"review"_s, id}}, this,
                 [this, id](const Result<QJsonValue> &answer) {
                     m_isAskingDetail = false;
                     const bool isWanted = m_list->currentId() == id || m_link == id;
                     if (answer && isWanted)
                         showDetail(answer->toObject());
                     else if (!answer && isWanted && !bridge().isAway())
                         say(answer.error().message, Token::bad);
                     if (std::exchange(m_askDetailAgain, false))
                         askDetail();
                 });
}

void ReviewPage::showDetail(const QJsonObject &detail)
{
    const Item before = m_detail->item();
    m_detail->setDetail(detail, bridge().actor(), bridge().now());
    const Item &item = m_detail->item();
    if (item.id != before.id) {
        m_detail->answers().setDraft(m_drafts.value(item.id));
    } else if (item.version != before.version && !m_desk->isPending(item.id)) {
        say(u"%1 changed while you were looking (version %2 is now %3); look again before you "
            "answer."_s.arg(item.what())
                .arg(before.version)
                .arg(item.version),
            Token::attention);
    }
    showEmpty();
    showPending();
}

// Buttons, letters and the list say what is on its way; nothing is answered twice.
void ReviewPage::showPending()
{
    m_model->setPending(m_desk->pendingTexts());
    const QString id = m_detail->item().id;
    const bool isPending = m_desk->isPending(id);
    m_detail->setPending(m_desk->pendingTexts().value(id));
    for (auto entry = m_answerActions.cbegin(); entry != m_answerActions.cend(); ++entry)
        entry.value()->setEnabled(!isPending && m_detail->answers().allows(entry.key()));
    for (QAction *action : std::as_const(m_itemActions))
        action->setEnabled(!id.isEmpty());
}

void ReviewPage::changeEvent(QEvent *event)
{
    Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_list)
        m_list->viewport()->update();
}

} // namespace holdfast::review
