#include "ui/runs/runs_page.h"

#include "ui/runs/empty_runs.h"
#include "ui/runs/filter_bar.h"
#include "ui/runs/filter_terms.h"
#include "ui/runs/run_pager.h"
#include "ui/runs/run_peek.h"
#include "ui/runs/run_table.h"
#include "ui/runs/runs_model.h"
#include "ui/runs/selection_bar.h"
#include "ui/runs/views_button.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QJsonArray>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int agesMs = 1000;
constexpr int countsMs = 1000;

QString countOf(int count, bool isCapped)
{
    return count == 1 ? u"1 run"_s : u"%L1%2 runs"_s.arg(count).arg(isCapped ? u"+"_s : QString());
}
} // namespace

RunsPage::RunsPage(bridge::Bridge &bridge)
    : shell::Page(bridge, u"runs"_s, u"Runs"_s), m_model(new RunsModel(this)),
      m_pager(new RunPager(bridge, *m_model, this))
{
    qRegisterMetaType<RunLines>();
    buildTable();
    buildActions();
    buildLayout();
    connectPager();
    m_ageTimer.setInterval(agesMs);
    connect(&m_ageTimer, &QTimer::timeout, this, [this] { m_model->setNow(this->bridge().now()); });
    m_countTimer.setSingleShot(true);
    connect(&m_countTimer, &QTimer::timeout, this, &RunsPage::askCount);
    m_model->setNow(bridge.now());
    showBody();
    showSelection();
}

QWidget *RunsPage::first() { return m_table->isVisible() ? m_table : m_filter->focusProxy(); }

QJsonObject RunsPage::where() const { return {{u"filter"_s, m_pager->filter()}}; }

void RunsPage::open(const QJsonObject &where)
{
    if (!where.contains("filter"_L1))
        return;
    const QString filter = filterOf(termsOf(where["filter"_L1].toString()));
    if (!m_pager->isLoaded() || filter != m_pager->filter())
        setFilter(filter);
}

void RunsPage::refresh()
{
    const RunTable::Rows rows = m_table->rowsOnScreen();
    m_pager->refresh({rows.first, rows.last});
    if (m_peekAction->isChecked())
        m_peek->refresh();
    if (!m_countTimer.isActive())
        m_countTimer.start(m_counted < 0 ? 0 : countsMs);
    if (!m_hasWords) {
        m_hasWords = true;
        askWords();
        askViews();
    }
}

void RunsPage::setFilter(const QString &filter) { m_pager->tryFilter(filter); }

void RunsPage::connectPager()
{
    connect(m_pager, &RunPager::loaded, this, &RunsPage::loaded);
    connect(m_pager, &RunPager::filterRefused, this,
            [this](const QString &filter, const QString &why) { m_filter->refuse(filter, why); });
    connect(m_pager, &RunPager::failed, this, [this](const QString &why) {
        // A database that is away is said once, by the window.
        m_problem->setText(u"▲ The runs could not be read: %1"_s.arg(why));
        m_problem->setVisible(!bridge().isAway());
        showBody();
    });
    connect(m_pager, &RunPager::topRead, this, &RunsPage::mergeTop);
    connect(m_pager, &RunPager::rangeRead, this,
            [this](const QString &after, const RunLines &lines, const QString &next) {
                m_table->steadily([&] { m_model->merge(after, lines, next); });
            });
    connect(m_pager, &RunPager::moreRead, this, [this](const RunLines &lines, const QString &next) {
        m_table->steadily([&] { m_model->append(lines, next); });
        showBody();
    });
    connect(m_pager, &RunPager::earlierRead, this,
            [this](const RunLines &lines) { m_table->steadily([&] { m_model->prepend(lines); }); });
    connect(m_table, &RunTable::nearEnd, m_pager, &RunPager::wantMore);
    connect(m_table, &RunTable::nearStart, m_pager, &RunPager::wantEarlier);
    connect(m_table, &RunTable::topWanted, this, &RunsPage::toTop);
}

void RunsPage::loaded()
{
    const QStringList terms = termsOf(m_pager->filter());
    const bool isOther = terms != m_filter->terms();
    m_problem->hide();
    m_filter->setTerms(terms);
    m_views->setFilter(m_pager->filter());
    m_table->setWaiting(0);
    m_table->scrollToTop();
    m_table->look();
    m_isAllThatMatch = false;
    if (isOther) {
        m_counted = -1;
        Q_EMIT placeChanged();
    }
    askCount();
    showBody();
    showSelection();
}

void RunsPage::mergeTop(const RunLines &lines, const QString &next, bool isTooMuch)
{
    m_problem->hide();
    const bool isAnswerToPerson = m_letIn;
    m_letIn = false;
    if (isTooMuch) {
        if (isAnswerToPerson || (m_table->isAtTop() && !m_table->currentIndex().isValid()))
            m_pager->toTop();
        else
            m_table->setWaiting(int(lines.size()), true);
        return;
    }
    const bool letNewIn = isAnswerToPerson || m_table->hasRoomAbove();
    const int before = m_model->rowCount();
    int news = 0;
    m_table->steadily([&] { news = m_model->merge({}, lines, next, letNewIn); });
    m_table->setWaiting(letNewIn ? 0 : news);
    if (isAnswerToPerson)
        m_table->scrollToTop();
    else if (letNewIn && before > 0 && !m_table->isAtTop())
        m_table->addUnseen(news);
    showBody();
}

void RunsPage::toTop()
{
    if (m_model->hasEarlier()) {
        m_pager->toTop();
        return;
    }
    if (m_table->waiting() == 0) {
        m_table->scrollToTop();
        return;
    }
    m_letIn = true;
    refresh();
}

void RunsPage::showBody()
{
    const QStringList &terms = m_filter->terms();
    if (m_model->rowCount() > 0) {
        m_body->setCurrentWidget(m_table);
    } else {
        m_body->setCurrentWidget(m_empty);
        if (!m_pager->isLoaded())
            m_empty->showReading(bridge().isAway());
        else if (m_model->hasMore())
            m_empty->showSearching();
        else if (terms.isEmpty())
            m_empty->showNone();
        else
            askOffers();
    }
    m_count->setText(countText());
    m_saveView->setEnabled(!terms.isEmpty());
    m_deleteView->setEnabled(!m_views->currentView().isEmpty());
    m_export->setEnabled(m_model->rowCount() > 0);
}

QString RunsPage::countText() const
{
    if (m_counted < 0)
        return m_pager->isLoaded() ? u"counting…"_s : QString();
    const QString count = countOf(m_counted, m_isCapped);
    return m_filter->terms().isEmpty() ? count
                                       : count + (m_counted == 1 ? u" matches"_s : u" match"_s);
}

void RunsPage::askCount()
{
    if (m_isCounting || !m_pager->isLoaded())
        return;
    m_isCounting = true;
    const QString filter = m_pager->filter();
    bridge().ask(u"count"_s, {{u"filter"_s, filter}}, this,
                 [this, filter](const Result<QJsonValue> &answer) {
                     m_isCounting = false;
                     if (filter != m_pager->filter()) {
                         askCount();
                         return;
                     }
                     if (!answer)
                         return;
                     m_counted = answer->toObject()["count"_L1].toInt();
                     m_isCapped = answer->toObject()["capped"_L1].toBool();
                     m_count->setText(countText());
                     showSelection();
                 });
}

void RunsPage::askWords()
{
    bridge().ask(u"filter_words"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        if (answer)
            m_filter->setWords(answer->toObject()["words"_L1].toObject());
        else
            m_hasWords = false;
    });
}

void RunsPage::askViews()
{
    bridge().ask(u"views"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        if (!answer)
            return;
        m_views->setViews(answer->toObject()["views"_L1].toArray());
        m_deleteView->setEnabled(!m_views->currentView().isEmpty());
    });
}

// Which single term, taken away, gives results is worth more than the fact that there are none.
void RunsPage::askOffers()
{
    const QStringList terms = m_filter->terms();
    m_empty->showNoMatch(terms);
    if (m_offersFor == m_pager->filter())
        return;
    m_offersFor = m_pager->filter();
    for (const QString &term : terms) {
        QStringList rest = terms;
        rest.removeOne(term);
        bridge().ask(u"count"_s, {{u"filter"_s, filterOf(rest)}}, this,
                     [this, term](const Result<QJsonValue> &answer) {
                         if (!answer)
                             return;
                         const QJsonObject count = answer->toObject();
                         m_empty->setCountWithout(
                             term, countOf(count["count"_L1].toInt(), count["capped"_L1].toBool()));
                     });
    }
}

Choice RunsPage::choice() const
{
    Choice choice;
    for (const int row : m_table->selectedRowNumbers())
        choice.lines << m_model->line(row);
    choice.isAllThatMatch = m_isAllThatMatch;
    choice.filter = m_pager->filter();
    choice.count = std::max(m_counted, 0);
    choice.isCapped = m_isCapped;
    return choice;
}

void RunsPage::selectAllThatMatch()
{
    m_table->selectAll();
    m_isAllThatMatch = true;
    showSelection();
}

void RunsPage::showSelection()
{
    Choice chosen = choice();
    const qsizetype selected = chosen.lines.size();
    const bool offersAll = !m_isAllThatMatch && selected > 1 && m_counted > selected;
    QString text = selected == 0 ? QString() : u"%L1 selected"_s.arg(selected);
    chosen.isAllThatMatch = true;
    if (m_isAllThatMatch)
        text = u"Selected: "_s + chosen.text();
    m_selection->showSelection(text, chosen.text(), offersAll);
    for (QAction *action : std::as_const(m_onSelection))
        action->setEnabled(selected > 0);
    for (QAction *action : std::as_const(m_onCurrent))
        action->setEnabled(selected == 1 && !m_isAllThatMatch);
}

void RunsPage::openCurrent(const QString &act)
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    QJsonObject where{{u"run"_s, current.data(RunsModel::runIdRole).toString()}};
    if (!act.isEmpty())
        where.insert(u"act"_s, act);
    Q_EMIT goTo(u"run"_s, where);
}

void RunsPage::peek(bool wanted)
{
    m_peek->setVisible(wanted);
    showPeek();
}

void RunsPage::showPeek()
{
    if (m_peekAction->isChecked())
        m_peek->showRun(m_table->currentIndex().data(RunsModel::runIdRole).toString());
}

void RunsPage::copy(const QString &text, const QString &what)
{
    QApplication::clipboard()->setText(text);
    Q_EMIT said(u"%1 in the clipboard."_s.arg(what));
}

void RunsPage::changeEvent(QEvent *event)
{
    shell::Page::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model)
        m_model->repaintAll();
}

void RunsPage::showEvent(QShowEvent *event)
{
    shell::Page::showEvent(event);
    m_ageTimer.start();
}

void RunsPage::hideEvent(QHideEvent *event)
{
    shell::Page::hideEvent(event);
    m_ageTimer.stop();
}

} // namespace holdfast::runs
