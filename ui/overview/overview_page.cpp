#include "ui/overview/overview_page.h"

#include "ui/overview/chart_panel.h"
#include "ui/overview/figure_row.h"
#include "ui/overview/gate_lines.h"
#include "ui/overview/group_table.h"
#include "ui/overview/need_tile.h"
#include "ui/overview/rate_table.h"
#include "ui/widgets/figure_text.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"

#include <QComboBox>
#include <QLocale>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int readAgainMs = 1000;
constexpr model::Millis groupsAgain = 10 * model::second;
constexpr model::Millis dayLength = 24 * model::hour;

QString countText(double count) { return QLocale().toString(qint64(count)); }
} // namespace

OverviewPage::OverviewPage(bridge::Bridge &bridge) : Page(bridge, u"overview"_s, u"Overview"_s)
{
    build();
    connectFigures();
    m_clock.setInterval(int(model::second));
    connect(&m_clock, &QTimer::timeout, this, &OverviewPage::showMarks);
    m_again.setSingleShot(true);
    m_again.setInterval(readAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            askFigures();
    });
    connect(&bridge, &bridge::Bridge::stateChanged, this, &OverviewPage::showChecked);
    showMarks();
}

QWidget *OverviewPage::first() { return m_tiles.first(); }

void OverviewPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_clock.start();
}

void OverviewPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_clock.stop();
}

void OverviewPage::open(const QJsonObject &where)
{
    const int index = timeRangeNamed(where.value("range"_L1).toString());
    if (where.contains("range"_L1))
        m_range->setCurrentIndex(index);
}

QJsonObject OverviewPage::where() const { return {{u"range"_s, range().word}}; }

void OverviewPage::setRange(int index)
{
    m_rangeIndex = index;
    m_begin = model::never; // what is under way answers another question now
    m_earlierBegin = model::never;
    Q_EMIT placeChanged();
    m_isWanted = true;
    if (m_outstanding == 0)
        askFigures();
}

void OverviewPage::refresh()
{
    showMarks();
    m_isWanted = true;
    if (m_outstanding == 0 && !m_again.isActive())
        askFigures();
}

void OverviewPage::askFigures()
{
    m_isWanted = false;
    const TimeRange asked = range();
    const model::Instant begin = asked.begin(bridge().now());
    m_begin = begin;
    const auto times = [&](model::Millis back) {
        return QJsonObject{{u"since"_s, model::instantText(begin - back)},
                           {u"until"_s, model::instantText(begin - back + asked.length())},
                           {u"bucket_ms"_s, asked.bucket}};
    };
    const auto ask = [&](const QString &name, model::Millis back, QJsonObject OverviewPage::*kept) {
        ++m_outstanding;
        bridge().ask(name, times(back), this, [this, kept, begin](const auto &answer) {
            m_problem->setVisible(!answer);
            if (!answer)
                m_problem->setText(widgets::plainText(answer.error().message));
            else if (begin == m_begin)
                this->*kept = answer->toObject();
            answered();
        });
    };
    ask(u"series"_s, 0, &OverviewPage::m_series);
    ask(u"rates"_s, 0, &OverviewPage::m_rates);
    if (m_earlierBegin != begin) // the past does not change
        ask(u"series"_s, asked.shift(), &OverviewPage::m_earlier);
    m_earlierBegin = begin;
    askGroups();
}

// After the figures, and less often: days do not change by the second. Seven whole days of UTC, as
// the figures are kept, whatever range the charts show.
void OverviewPage::askGroups()
{
    const model::Instant now = bridge().now();
    if (m_groupsAt != model::never && now - m_groupsAt < groupsAgain)
        return;
    m_groupsAt = now;
    const model::Instant tomorrow = (now / dayLength + 1) * dayLength;
    // Fifty settled ones with many runs would leave no room for one that nobody has looked at.
    const QJsonArray unsettled{u"new"_s, u"escalating"_s, u"regressed"_s, u"ongoing"_s};
    bridge().ask(u"groups"_s,
                 {{u"since"_s, model::instantText(tomorrow - 7 * dayLength)},
                  {u"until"_s, model::instantText(tomorrow)},
                  {u"status"_s, unsettled},
                  {u"limit"_s, 50}},
                 this, [this](const auto &answer) {
                     if (answer)
                         m_groups->setRows((*answer)["groups"_L1].toArray());
                     else
                         m_groups->setProblem(answer.error().message);
                 });
}

void OverviewPage::answered()
{
    if (--m_outstanding > 0)
        return;
    if (m_begin == model::never) { // the range was changed meanwhile
        askFigures();
        return;
    }
    m_hasSeries = m_hasSeries || !m_series.isEmpty();
    showCharts();
    showHarm();
    showMeasures();
    m_operations->setRows(m_rates.value("operations"_L1).toArray());
    m_dependencies->setRows(m_rates.value("dependencies"_L1).toArray());
    m_again.start();
}

void OverviewPage::showCharts()
{
    if (!m_hasSeries)
        return;
    const TimeRange &shown = range();
    const Buckets now = spread(m_series, m_begin, shown.bucket, shown.count);
    const Buckets earlier = spread(m_earlier, m_begin - shown.shift(), shown.bucket, shown.count);
    m_runs->setData(runsByOutcome(now, earlier, shown), shown);
    m_retries->setData(retriesByClass(now), shown);
    m_compensations->setData(compensationRate(now, earlier, shown), shown);
}

void OverviewPage::showHarm()
{
    const QJsonObject totals = m_series.value("totals"_L1).toObject();
    if (m_hasSeries) {
        const auto total = [&](QLatin1String name) { return totals.value(name).toDouble(); };
        const double prevented = total("duplicates_prevented"_L1);
        m_duplicates->setFigure(countText(prevented), prevented > 0 ? Token::good : Token::text);
        m_compensated->setFigure(countText(total("compensated"_L1)));
        const double stuck = total("compensation_failed"_L1);
        m_compensationFailed->setFigure(countText(stuck), stuck > 0 ? Token::bad : Token::text);
        m_retried->setFigure(countText(total("retries"_L1)));
        m_retried->setNote(u"of %1 attempts"_s.arg(countText(total("attempts"_L1))));
    }
}

void OverviewPage::showMeasures()
{
    const QJsonArray measures = m_rates.value("measures"_L1).toArray();
    for (const QJsonValue &measure : measures) {
        const QString unit = measure["unit"_L1].toString();
        FigureRow *&row = m_measureRows[measure["name"_L1].toString()];
        if (!row)
            row = addMeasure(measure.toObject());
        row->setFigure(widgets::figureText(measure["now"_L1], unit));
        const QString whole = countText(measure["denominator"_L1].toDouble());
        row->setNote(unit == "percent"_L1
                         ? u"%1 of %2"_s.arg(countText(measure["numerator"_L1].toDouble()), whole)
                         : u"of %1"_s.arg(whole));
    }
}

void OverviewPage::showMarks()
{
    const QJsonObject &marks = bridge().marks();
    const QJsonObject counts = marks.value("reviews"_L1).toObject();
    const QJsonObject oldest = marks.value("oldest"_L1).toObject();
    const bool isKnown = !marks.isEmpty();
    // While the database is away, ages stop where the figures do.
    const model::Instant now = bridge().isAway() ? bridge().lastGood() : bridge().now();
    qint64 total = 0;
    for (NeedTile *tile : m_tiles) {
        const qint64 count = qint64(counts.value(tile->kind()).toDouble());
        total += count;
        tile->setFigures(isKnown ? count : -1, widgets::instantOf(oldest.value(tile->kind())), now);
    }
    m_heading->setText(!isKnown     ? u"Not known yet what needs you."_s
                       : total == 0 ? u"✔ Nothing needs you."_s
                       : total == 1 ? u"1 item needs you now."_s
                                    : u"%1 items need you now."_s.arg(countText(double(total))));
    m_heading->setToken(!isKnown ? Token::muted : total == 0 ? Token::good : Token::attention);
    const double open = counts.value("ambiguous"_L1).toDouble();
    m_unresolved->setFigure(isKnown ? countText(open) : u"–"_s,
                            open > 0 ? Token::attention : Token::text);
    m_gates->setMarks(marks, now);
    showChecked();
}

void OverviewPage::showChecked()
{
    const model::Instant good = bridge().lastGood();
    if (good == model::never)
        m_checked->setText(bridge().isAway() ? u"The database has not been reached yet."_s
                                             : u"Reading…"_s);
    else if (bridge().isAway())
        m_checked->setText(u"Figures are from %1."_s.arg(widgets::shortTime(good)));
    else
        m_checked->setText(u"Last checked %1."_s.arg(widgets::shortTime(good)));
}

void OverviewPage::goToRuns(const QString &filter)
{
    Q_EMIT goTo(u"runs"_s, {{u"filter"_s, filter.trimmed()}});
}

} // namespace holdfast::overview
