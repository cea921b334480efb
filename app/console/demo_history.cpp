#include "app/console/demo_history.h"

#include "app/console/demo_world.h"
#include "app/console/samples.h"
#include "app/ctl/database.h"
#include "model/ids.h"
#include "runtime/turn.h"
#include "store/sqlite_store.h"

#include <random>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Instant;
using model::Result;

namespace
{
constexpr model::Millis day = 24 * model::hour;
constexpr model::Millis peopleAnswerAfter = 35 * model::minute;
constexpr model::Millis leftOpen =
    20 * model::hour; // what is younger waits for the person at the demo
constexpr int incidentDaysAgo = 6;

class History
{
public:
    History(const HistoryPlan &plan, sandbox::SandboxThread &world)
        : m_plan(plan), m_clock(plan.until - plan.days * day - model::hour),
          m_world(world.services(), plan.seed),
          m_store(plan.path, store::SqliteStore::Mode::writer, &m_clock),
          m_door(m_store, ctl::surroundings(u"sqlite:"_s + plan.path)), m_random(plan.seed),
          m_origin(world.origin()), m_books(world.books())
    {
    }

    Result<void> write(const std::function<bool(int)> &progress);

private:
    struct Start {
        Instant at = model::never;
        bool isOrder = false;
        int number = 0;
    };
    Result<void> prepare();
    QVector<Start> starts();
    Result<void> runTo(Instant until);
    Result<void> decide();
    Result<void> incident(Instant at);
    Result<QJsonValue> call(const QString &name, const QJsonObject &arguments,
                            const QString &actor);
    int upTo(int limit) { return int(m_random() % quint64(limit)); }

    const HistoryPlan m_plan;
    MovedClock m_clock;
    DemoWorld m_world;
    store::SqliteStore m_store;
    control::LocalDoor m_door;
    runtime::Catalog m_catalog;
    std::unique_ptr<runtime::Turn> m_turn;
    std::mt19937_64 m_random;
    const QString m_origin;
    const sandbox::Books &m_books; // where people look things up
    QString m_pause;               // of the incident, while it lasts
    Instant m_pausedUntil = model::never;
    bool m_hadIncident = false;
};

Result<QJsonValue> History::call(const QString &name, const QJsonObject &arguments,
                                 const QString &actor)
{
    return m_door.call({model::newId(m_clock.now()), name, arguments, actor});
}

Result<void> History::prepare()
{
    if (const auto opened = m_store.open(); !opened)
        return opened;
    const auto files = sampleFiles(m_origin);
    if (!files)
        return files.error();
    // One by one: both describe payments, the same way.
    for (const QJsonValue &file : *files) {
        const auto deployed = call(u"deploy"_s, {{u"files"_s, QJsonArray{file}}}, u"grace"_s);
        if (!deployed)
            return deployed.error();
        if (deployed->toObject().contains("refused"_L1))
            return model::refused(u"the sample %1 was refused: %2"_s.arg(
                file["file"_L1].toString(), (*deployed)["findings"_L1][0]["text"_L1].toString()));
    }
    runtime::TurnOptions options;
    options.worker = u"demo-history"_s;
    const auto registered = m_store.registerWorker(
        {options.worker, u"demo"_s, 1, u"demo"_s, 0, 0, u"running"_s}, (m_plan.days + 2) * day);
    if (!registered)
        return registered.error();
    m_turn = std::make_unique<runtime::Turn>(m_store, m_catalog, m_world, m_clock, options);
    return {};
}

// Busy on weekdays, quiet at night and at weekends.
QVector<History::Start> History::starts()
{
    QVector<Start> list;
    int number = 0;
    for (int back = m_plan.days; back > 0; --back) {
        const Instant morning = m_plan.until - back * day;
        const int weekday = int((morning / day + 4) % 7); // 0 is Sunday
        const int count = weekday == 0 || weekday == 6 ? 14 + upTo(5) : 38 + upTo(14);
        for (int i = 0; i < count; ++i) {
            const model::Millis within = (upTo(12 * 60) + upTo(12 * 60)) * model::minute;
            list.append({morning + within + upTo(60) * model::second, upTo(3) != 0, ++number});
        }
    }
    std::sort(list.begin(), list.end(), [](const Start &a, const Start &b) { return a.at < b.at; });
    return list;
}

// Everything that ends or comes due until then, in the order of time.
Result<void> History::runTo(Instant until)
{
    while (true) {
        m_clock.moveTo(m_clock.now() + m_world.latency());
        const auto report = m_turn->turn(m_world.takeResults());
        if (!report)
            return report.error();
        if (m_world.hasResults() || report->moreIsDue || report->decided > 0)
            continue;
        const auto due = m_store.nextDue();
        if (!due)
            return due.error();
        if (*due == model::never || *due > until)
            break;
        m_clock.moveTo(std::max(*due, m_clock.now() + 1));
    }
    m_clock.moveTo(until);
    return {};
}

// People look into the inbox now and then and settle what they find.
Result<void> History::decide()
{
    const auto open = call(u"reviews"_s, {}, u"ada"_s);
    if (!open)
        return open.error();
    const QJsonArray reviews = open->toObject().value("reviews"_L1).toArray();
    for (const QJsonValue &item : reviews) {
        const Instant opened =
            model::parseInstant(item["opened_at"_L1].toString()).value_or(model::never);
        const bool isOld = m_clock.now() - opened > peopleAnswerAfter;
        if (!isOld || m_plan.until - opened < leftOpen)
            continue;
        const QString kind = item["kind"_L1].toString();
        QJsonObject arguments{{u"review"_s, item["id"_L1]}};
        if (kind == "ambiguous"_L1) {
            const QString key = item["evidence"_L1]["key"_L1].toString();
            const bool happened = m_books.hasEffect(key);
            arguments.insert(u"verdict"_s, happened ? u"happened"_s : u"absent"_s);
            arguments.insert(u"reason"_s, happened ? u"Found it in their log."_s
                                                   : u"They have no trace of it."_s);
            if (happened)
                arguments.insert(u"receipt"_s, QJsonObject{{u"id"_s, u"by hand"_s}});
        } else {
            const bool isUndo = kind == "compensation_failed"_L1;
            arguments.insert(u"verdict"_s, isUndo ? u"waive"_s : u"dismiss"_s);
            arguments.insert(u"reason"_s, isUndo ? u"Refunded by hand, ticket 4417."_s
                                                 : u"The customer was called."_s);
        }
        const auto decided = call(u"resolve"_s, arguments, upTo(2) == 0 ? u"ada"_s : u"grace"_s);
        if (!decided && decided.error().kind != model::ErrorKind::refused)
            return decided.error();
    }
    return {};
}

Result<void> History::incident(Instant at)
{
    if (m_pause.isEmpty()) {
        if (m_hadIncident || at < m_plan.until - incidentDaysAgo * day)
            return {};
        const auto paused = call(u"pause"_s,
                                 {{u"dependency"_s, u"payments"_s},
                                  {u"reason"_s, u"Payments times out; waiting for them."_s}},
                                 u"ada"_s);
        if (!paused)
            return paused.error();
        m_pause = paused->toObject().value("id"_L1).toString();
        m_pausedUntil = at + 38 * model::minute;
        m_hadIncident = true;
        return {};
    }
    if (at < m_pausedUntil)
        return {};
    const auto resumed = call(
        u"resume"_s, {{u"pause"_s, m_pause}, {u"reason"_s, u"They report all clear."_s}}, u"ada"_s);
    m_pause.clear();
    return resumed ? Result<void>() : Result<void>(resumed.error());
}

Result<void> History::write(const std::function<bool(int)> &progress)
{
    if (const auto ready = prepare(); !ready)
        return ready;
    const QVector<Start> plan = starts();
    for (qsizetype i = 0; i < plan.size(); ++i) {
        const Start &next = plan.at(i);
        if (const auto ran = runTo(std::min(next.at, m_plan.until)); !ran)
            return ran;
        if (const auto held = incident(next.at); !held)
            return held;
        const auto started =
            call(u"start"_s,
                 {{u"workflow"_s, next.isOrder ? u"order"_s : u"billing-assistant"_s},
                  {u"input"_s, next.isOrder ? orderInput(next.number) : invoiceInput(next.number)}},
                 u"shop"_s);
        if (!started)
            return started.error();
        if (i % 5 == 0) {
            if (const auto decided = decide(); !decided)
                return decided;
        }
        if (!progress(int(100 * i / plan.size())))
            return model::refused(u"stopped"_s);
    }
    if (const auto ran = runTo(m_plan.until); !ran)
        return ran;
    const auto left = m_store.renewLease(u"demo-history"_s, 0, u"gone"_s);
    return left ? Result<void>() : Result<void>(left.error());
}
} // namespace

Result<void> writeHistory(const HistoryPlan &plan, sandbox::SandboxThread &world,
                          const std::function<bool(int percent)> &progress)
{
    return History(plan, world).write(progress);
}

} // namespace holdfast::console
