// How the page is put together, and its actions; what they do stands in the other files.
#include "ui/review/desk.h"
#include "ui/review/kind_tabs.h"
#include "ui/review/review_detail.h"
#include "ui/review/review_list.h"
#include "ui/review/review_model.h"
#include "ui/review/review_page.h"
#include "ui/review/undo_bar.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QCheckBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

void ReviewPage::build()
{
    m_notice = new widgets::WrapLabel(u"notice"_s, u"Message"_s);
    m_notice->hide();
    m_undoBar = new UndoBar(m_desk->grace());
    m_body = new QStackedWidget;
    auto *column = new QVBoxLayout(this);
    column->addWidget(buildBar());
    column->addWidget(m_notice);
    m_body->addWidget(buildBody());
    m_body->addWidget(buildEmpty());
    column->addWidget(m_body, 1);
    column->addWidget(m_undoBar);
    connect(m_undoBar, &UndoBar::undoWanted, this, &ReviewPage::undo);
}

QWidget *ReviewPage::buildBar()
{
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    m_tabs = new KindTabs;
    m_mine = new QCheckBox(u"Mine"_s);
    m_mine->setObjectName(u"mine"_s);
    m_mine->setAccessibleName(u"Show only items claimed by me"_s);
    m_snoozed = new QCheckBox(u"Snoozed"_s);
    m_snoozed->setObjectName(u"snoozed"_s);
    m_snoozed->setAccessibleName(u"Show snoozed items too"_s);
    row->addWidget(m_tabs, 1);
    row->addWidget(m_mine);
    row->addWidget(m_snoozed);
    connect(m_tabs, &KindTabs::kindChanged, this, [this] {
        showItems();
        Q_EMIT placeChanged();
    });
    connect(m_mine, &QCheckBox::toggled, this, &ReviewPage::showItems);
    connect(m_snoozed, &QCheckBox::toggled, this, &ReviewPage::showItems);
    return bar;
}

QWidget *ReviewPage::buildBody()
{
    m_list = new ReviewList;
    m_list->setObjectName(u"items"_s);
    m_list->setAccessibleName(u"Items that wait for a person"_s);
    m_list->setModel(m_model);
    m_list->setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    m_detail = new ReviewDetail;
    auto *splitter = new QSplitter;
    splitter->setObjectName(u"reviewSplitter"_s);
    splitter->addWidget(m_list);
    splitter->addWidget(m_detail);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 4);
    splitter->setChildrenCollapsible(false);
    const int unit = fontMetrics().averageCharWidth();
    splitter->setSizes({unit * 50, unit * 110});
    return splitter;
}

QWidget *ReviewPage::buildEmpty()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    m_empty = new widgets::WrapLabel(u"empty"_s, u"Nothing to review"_s);
    m_empty->setToken(Token::good);
    QFont large = m_empty->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    large.setBold(true);
    m_empty->setFont(large);
    m_emptyHint = new widgets::WrapLabel(u"emptyHint"_s, u"Last check"_s);
    m_emptyHint->setToken(Token::muted);
    for (widgets::WrapLabel *label : {m_empty, m_emptyHint}) {
        auto *row = new QHBoxLayout;
        row->addStretch(1);
        row->addWidget(label);
        row->addStretch(1);
        if (label == m_empty)
            column->addStretch(2);
        column->addLayout(row);
    }
    column->addStretch(3);
    return page;
}

// A letter works only while the list has the focus; everywhere else it is text.
QAction *ReviewPage::letterAction(const QString &text, const QString &letter)
{
    QAction *action = addPageAction(u"Review"_s, text, QKeySequence(letter));
    action->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(action);
    return action;
}

void ReviewPage::buildActions()
{
    const std::pair<QString, QString> answers[] = {
        {u"happened"_s, u"It happened…"_s}, {u"absent"_s, u"It did not happen…"_s},
        {u"verify"_s, u"Verify again"_s},   {u"approve"_s, u"Approve…"_s},
        {u"reject"_s, u"Reject…"_s},        {u"retry"_s, u"Retry…"_s},
        {u"waive"_s, u"Waive…"_s},          {u"dismiss"_s, u"Dismiss…"_s},
    };
    for (const auto &[verdict, text] : answers) {
        QAction *action = letterAction(text, answerKey(verdict));
        m_answerActions.insert(verdict, action);
        connect(action, &QAction::triggered, this,
                [this, verdict = verdict] { m_detail->answers().choose(verdict); });
    }
    const auto item = [this](const QString &text, const QString &letter, auto act) {
        QAction *action = letterAction(text, letter);
        m_itemActions.append(action);
        connect(action, &QAction::triggered, this, act);
    };
    item(u"Compensate the run…"_s, u"U"_s, [this] { openRun(true); });
    item(u"Claim or release"_s, u"C"_s, [this] { claim(); });
    item(u"Snooze…"_s, u"S"_s, [this] { snooze(); });
    item(u"Add a note…"_s, u"T"_s, [this] { note(); });
    item(u"Answer all similar items…"_s, u"B"_s, [this] { answerSimilar(); });
    QAction *undoAction =
        addPageAction(u"Edit"_s, u"Undo the last answer"_s, QKeySequence(u"Ctrl+Z"_s));
    connect(undoAction, &QAction::triggered, this, &ReviewPage::undo);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace holdfast::review
