#include "ui/weekly/weekly_page.h"

#include "model/json.h"
#include "ui/style/group_look.h"
#include "ui/weekly/chart_paint.h"
#include "ui/weekly/chart_view.h"
#include "ui/weekly/group_detail.h"
#include "ui/weekly/report_export.h"
#include "ui/weekly/report_text.h"
#include "ui/weekly/section_list.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int readAgainMs = 5000;
constexpr qsizetype weeksRemembered = 8;
const QString newestWeek = u"newest"_s;

// Each row with what tells it from the others wherever it stands, so that the selection stays on
// it when rows come before it. What has no name of its own is what it says.
QJsonArray identified(const QJsonArray &rows)
{
    QJsonArray all;
    QMap<QString, int> seen; // the table takes each once
    for (const QJsonValue &value : rows) {
        QJsonObject row = value.toObject();
        QString identity;
        for (const QString &name : {u"id"_s, u"run_id"_s, u"dependency"_s, u"name"_s}) {
            if (identity.isEmpty())
                identity = row.value(name).toString();
        }
        if (identity.isEmpty())
            identity = QString::fromUtf8(model::compactJson(row));
        if (const int before = seen[identity]++; before > 0)
            identity += u'\n' + QString::number(before);
        row.insert(u"identity"_s, identity);
        all << row;
    }
    return all;
}

QString flipsEmptyText(const QJsonValue &flips)
{
    if (!flips.isObject())
        return u"There is nothing to list."_s;
    return flips["complete"_L1].toBool() ? u"✔ No lead changed hands within seven days."_s
                                         : u"No lead changed hands in the runs that were read."_s;
}
} // namespace

WeeklyPage::WeeklyPage(bridge::Bridge &bridge) : Page(bridge, u"weekly"_s, u"Weekly"_s)
{
    m_week = Week::lastWhole(bridge.now());
    m_again.setSingleShot(true);
    m_again.setInterval(readAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_isWanted && isVisible())
            askReport();
    });
    build();
    buildActions();
    connectSections();
    connect(&bridge, &bridge::Bridge::stateChanged, this, &WeeklyPage::showState);
    setWeek(m_week);
    showReport();
}

QWidget *WeeklyPage::first() { return m_sections; }

QJsonObject WeeklyPage::where() const
{
    // By its date, the newest week would be an old one in the next session.
    const bool isNewest = m_week == Week::lastWhole(bridge().now());
    QJsonObject place{{u"week"_s, isNewest ? newestWeek : m_week.text()},
                      {u"section"_s, m_sections->current()}};
    if (!m_chosen.isEmpty())
        place.insert(u"group"_s, m_chosen);
    QJsonObject ticks;
    for (auto entry = m_ticks.cbegin(); entry != m_ticks.cend(); ++entry)
        ticks.insert(entry.key(), QJsonArray::fromStringList(entry.value()));
    if (!ticks.isEmpty())
        place.insert(u"ticks"_s, ticks);
    return place;
}

void WeeklyPage::open(const QJsonObject &where)
{
    // Ticks come from an earlier session; a way back within this one must not undo newer ones.
    const QJsonObject ticks = where["ticks"_L1].toObject();
    for (auto entry = ticks.begin(); entry != ticks.end(); ++entry) {
        QStringList names;
        for (const QJsonValue &name : entry.value().toArray()) {
            if (SectionList::names().contains(name.toString()))
                names << name.toString();
        }
        if (Week::fromText(entry.key()).isValid() && !m_ticks.contains(entry.key()))
            m_ticks.insert(entry.key(), names);
    }
    const QString named = where["week"_L1].toString();
    const Week week = named == newestWeek ? Week::lastWhole(bridge().now()) : Week::fromText(named);
    if (week.isValid() && week != m_week && week.since() <= bridge().now())
        setWeek(week);
    if (const QString section = where["section"_L1].toString();
        SectionList::names().contains(section))
        m_sections->setCurrent(section);
    if (const QString group = where["group"_L1].toString(); !group.isEmpty())
        chooseGroup(group);
    showTicks();
}

void WeeklyPage::setWeek(const Week &week)
{
    if (week != m_week) {
        m_report = {}; // figures of another week are never shown under this one's name
        m_problem.clear();
        m_chosen.clear();
        m_detail = {};
        m_signProblem.clear();
        m_again.stop(); // another week is asked for at once
    }
    m_week = week;
    m_title->setText(u"Week "_s + week.yearTitle());
    m_span->setWhole(week.localSpan());
    showTicks();
    showReport();
    Q_EMIT placeChanged();
}

void WeeklyPage::refresh()
{
    m_isWanted = true;
    if (!m_isAsking && !m_again.isActive())
        askReport();
}

// One question at a time; what changed meanwhile is asked for afterwards.
void WeeklyPage::askReport()
{
    m_isWanted = false;
    m_isAsking = true;
    const Week week = m_week;
    bridge().ask(u"report"_s,
                 {{u"since"_s, model::instantText(week.since())},
                  {u"until"_s, model::instantText(week.until())}},
                 this, [this, week](const Result<QJsonValue> &answer) {
                     m_isAsking = false;
                     if (week != m_week) {
                         askReport();
                         return;
                     }
                     answered(answer);
                 });
    showState();
}

void WeeklyPage::answered(const Result<QJsonValue> &answer)
{
    if (answer) {
        m_report = answer->toObject();
        m_readAt = bridge().now();
        m_problem.clear();
    } else {
        m_problem = answer.error().message;
    }
    showReport();
    m_again.start();
}

void WeeklyPage::showReport()
{
    showState();
    showFigures();
    showGroups();
    showCharts();
    showLists();
    showCounts();
    showSignoff();
    showActs();
}

void WeeklyPage::showLists()
{
    const auto fill = [](const Table &list, const QJsonValue &rows) {
        list.table->changeInPlace([&] { list.model->setRows(identified(rows.toArray())); });
    };
    const QJsonValue flips = report()["owner_flips"_L1];
    const QJsonObject cost = report()["cost"_L1].toObject();
    fill(m_changes, report()["changes"_L1]);
    fill(m_flips, flips["list"_L1]);
    fill(m_measures, report()["measures"_L1]);
    fill(m_unresolved, report()["unresolved"_L1]);
    fill(m_compensations, report()["compensations"_L1]);
    fill(m_cost, cost["by_dependency"_L1]);
    fill(m_canaries, report()["canaries"_L1]);
    fill(m_gaps, report()["gaps"_L1]);
    m_flipsLine->setText(flipsText(flips));
    m_flips.empty->setText(flipsEmptyText(flips));
    m_costLine->setText(costText(cost) + u' ' + modelText(cost["model"_L1]));
    const auto sayMore = [this](widgets::WrapLabel *line, const QString &name,
                                const QString &where) {
        const qint64 more = report()[name].toInteger();
        line->setText(more > 0 ? u"And %L1 more; %2 lists all of them."_s.arg(more).arg(where)
                               : QString());
        line->setVisible(more > 0);
    };
    sayMore(m_unresolvedMore, u"unresolved_more"_s, u"Review"_s);
    sayMore(m_compensationsMore, u"compensations_more"_s, u"Runs"_s);
}

void WeeklyPage::showState()
{
    const bool hasReport = !m_report.isEmpty();
    m_next->setEnabled(m_week.after().since() <= bridge().now()); // a week begins while we are open
    m_whole->setCurrentIndex(hasReport ? 1 : 0);
    m_reading->setText(m_problem.isEmpty() ? u"Reading the week…"_s
                                           : u"The report of this week could not be read. Nothing "
                                             "was changed; it is asked for again when "
                                             "something changes or with F5."_s);
    QString problem = m_problem.isEmpty() ? QString() : u"▲ "_s + m_problem;
    if (hasReport && (bridge().isAway() || !m_problem.isEmpty()))
        problem = u"▲ Figures are from %1. %2"_s.arg(
            widgets::shortTime(m_readAt), m_problem.isEmpty() ? bridge().problem() : m_problem);
    m_problemLine->setText(problem);
    m_problemLine->setVisible(!problem.isEmpty());
    QStringList holes = incompleteLines(report()["incomplete"_L1].toArray());
    if (hasReport && !m_week.isOver(bridge().now()))
        holes.prepend(u"This week is not over: figures still grow."_s);
    m_incomplete->setText(holes.isEmpty() ? QString() : u"◐ "_s + holes.join(u' '));
    m_incomplete->setVisible(!holes.isEmpty());
    m_exportButton->setEnabled(hasReport && !m_export);
}

void WeeklyPage::showFigures()
{
    m_figures.table->changeInPlace(
        [&] { m_figures.model->setRows(report()["figures"_L1].toArray()); });
}

void WeeklyPage::showGroups()
{
    const QJsonArray groups = report()["groups"_L1].toArray();
    m_isFilling = true; // rows that go would each choose their neighbour
    m_groups.table->changeInPlace([&] { m_groups.model->setRows(groups); });
    m_isFilling = false;
    m_groupsLine->setText(groupsText(report(), u" · "_s));
    m_groupsLine->setVisible(!groups.isEmpty());
    const bool isThere = m_groups.model->indexOf(m_chosen) >= 0;
    if (!isThere && !m_report.isEmpty())
        m_chosen.clear();
    if (m_chosen.isEmpty() && !groups.isEmpty())
        m_chosen = m_groups.model->row(0)["id"_L1].toString();
    const int row = m_groups.model->indexOf(m_chosen);
    if (row >= 0 && m_groups.table->currentIndex().row() != row)
        m_groups.table->selectRow(row);
    if (group().isEmpty())
        m_groupDetail->clear();
    else
        askGroup();
}

void WeeklyPage::showCharts()
{
    const QJsonArray days = report()["days"_L1].toArray();
    const QJsonArray before = report()["days_before"_L1].toArray();
    double ended = 0;
    double endedBefore = 0;
    QJsonArray rows;
    for (qsizetype i = 0; i < days.size(); ++i) {
        QJsonObject row = days.at(i).toObject();
        ended += endedOn(row);
        endedBefore += endedOn(before.at(i).toObject());
        row.insert(u"before"_s, endedOn(before.at(i).toObject()));
        rows << row;
    }
    // A week without runs has its seven days all the same; the chart says in words that it is
    // empty.
    if (!hasRuns(days))
        rows = {};
    m_days->show(rows,
                 u"%1 ended, %2 the week before."_s.arg(countText(ended, u"run"_s, u"runs"_s),
                                                        figureText(endedBefore, u"count"_s)),
                 [days, before](QPainter &painter, const QRectF &area) {
                     paintDays(painter, area, days, before, style::currentTheme());
                 });
    const QJsonArray causes = report()["causes"_L1].toArray();
    m_causes->show(causes,
                   causes.isEmpty() ? QString()
                                    : u"Most runs: %1."_s.arg(causes[0]["cause"_L1].toString()),
                   [causes](QPainter &painter, const QRectF &area) {
                       paintPareto(painter, area, causes, style::currentTheme());
                   });
}

void WeeklyPage::showCounts()
{
    const bool isKnown = !m_report.isEmpty();
    const auto count = [&](const QString &section, const QString &list) {
        m_sections->setCount(section, isKnown ? int(report()[list].toArray().size()) : -1);
    };
    count(u"changes"_s, u"changes"_s);
    count(u"canaries"_s, u"canaries"_s);
    count(u"gaps"_s, u"gaps"_s);
    int left = 0;
    for (const QJsonValue &group : report()["groups"_L1].toArray())
        left += isSettled(group.toObject()) ? 0 : 1;
    m_sections->setCount(u"groups"_s, isKnown ? left : -1,
                         report()["groups_more"_L1].toInteger() > 0);
    for (const QString &name : {u"unresolved"_s, u"compensations"_s}) {
        const qint64 all =
            report()[name].toArray().size() + report()[name + u"_more"_s].toInteger();
        m_sections->setCount(name, isKnown ? int(all) : -1);
    }
    showTicks();
}

void WeeklyPage::showTicks()
{
    m_sections->setTicks(m_ticks.value(m_week.text()));
    m_sections->setSigned(!report()["signoff"_L1].toObject().isEmpty());
    m_progress->setText(
        u"%1 of %2 done"_s.arg(m_sections->ticks().size()).arg(SectionList::names().size()));
    while (m_ticks.size() > weeksRemembered)
        m_ticks.erase(m_ticks.begin()); // the oldest
}

void WeeklyPage::showSignoff()
{
    const QJsonObject signoff = report()["signoff"_L1].toObject();
    const bool isSigned = !signoff.isEmpty();
    const bool isOver = m_week.isOver(bridge().now());
    widgets::setRoomyText(m_sign, u"Sign the week "_s + m_week.title());
    m_sign->setAccessibleName(u"Sign the week "_s + m_week.title());
    m_sign->setEnabled(!m_report.isEmpty() && !isSigned && isOver && !m_isActing);
    m_sign->setVisible(!isSigned);
    m_signNote->setVisible(!isSigned);
    QString hash;
    if (isSigned) {
        const QString note = signoff["note"_L1].toString();
        m_signLine->setText(u"✔ "_s + signoffText(signoff) +
                            (note.isEmpty() ? QString() : u" Note: "_s + note));
        m_signLine->setToken(Token::good);
        const QJsonValue matches = signoff["figures_unchanged"_L1];
        hash = u"SHA-256 of the figures %1; audit up to row %2."_s.arg(
            signoff["figures_hash"_L1].toString(),
            QString::number(signoff["audit_seq"_L1].toInteger()));
        if (matches.isBool())
            hash = (matches.toBool() ? u"✔ The figures are those that were signed."_s
                                     : u"▲ "_s + signoffChange(signoff)) +
                   u' ' + hash;
        m_signHash->setToken(matches.isBool() && !matches.toBool() ? Token::bad : Token::muted);
    } else {
        const qsizetype groups = report()["groups"_L1].toArray().size();
        m_signLine->setToken(Token::text);
        m_signLine->setText(
            m_report.isEmpty() ? QString()
            : !isOver          ? u"The week ends %1; it can be signed then."_s.arg(
                                     widgets::fullTime(m_week.until()))
            : groups == 0
                ? u"Quiet week: 0 groups. Sign the report anyway?"_s
                : u"Signing keeps your name, the time, the figures with their SHA-256 and the end "
                  "of the audit. It cannot be taken back."_s);
    }
    m_signHash->setText(hash);
    m_signHash->setVisible(!hash.isEmpty());
    m_signRefusal->setText(m_signProblem.isEmpty() ? QString() : u"▲ "_s + m_signProblem);
    m_signRefusal->setVisible(!m_signProblem.isEmpty());
}

} // namespace holdfast::weekly
