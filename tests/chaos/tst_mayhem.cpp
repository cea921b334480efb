// Goal: whatever happens to workers and to the database, each effect happens once and no run is
// lost. Method: real workers in processes of their own carry out runs against a world that
// misbehaves, while they are killed, frozen and told to die at named points, and PostgreSQL is
// crashed and cut off under them; then it is calm, and the sandbox's books judge. Seconds of mayhem
// and the seed come from HOLDFAST_CHAOS_SECONDS and HOLDFAST_CHAOS_SEED.
#include "chaos/worker_process.h"
#include "model/entry.h"
#include "model/ids.h"
#include "model/json.h"
#include "runtime/rebuild.h"
#include "store/audit_chain.h"
#include "store/store_url.h"
#include "support/dice.h"
#include "support/postgres_server.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QTextStream>
#include <QUrl>
#include <algorithm>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int runsASecond = 15; // an hour of them stays within what the books can hold
constexpr model::Millis settleAfter = 600;
constexpr int everyHowManyMails = 10; // a step at `none` needs a person when it is in doubt

const QStringList points{u"after_claim"_s,  u"before_commit"_s,  u"after_commit"_s,
                         u"after_send"_s,   u"after_response"_s, u"before_receipt"_s,
                         u"after_receipt"_s};

QString definitions(const Machine &machine)
{
    StepText bill{.name = u"bill"_s, .path = u"/payments/v1/invoices"_s, .dependency = u"pay"_s};
    StepText file{.name = u"file"_s,
                  .path = u"/crm/v1/contacts/${ input.id }"_s,
                  .method = u"PUT"_s,
                  .dependency = u"crm"_s};
    StepText hold{.name = u"hold"_s, .dependency = u"depot"_s, .verify = true};
    StepText tell{.name = u"tell"_s, .path = u"/mail/v1/messages"_s, .dependency = u"mail"_s};
    tell.extra = u"    when: ${ input.mails }\n"_s;
    QStringList steps;
    for (StepText *step : {&bill, &file, &hold, &tell}) {
        step->timeout = u"500ms"_s;
        step->settleAfter = u"%1ms"_s.arg(settleAfter);
        step->attempts = 20;
        steps.append(Machine::stepText(*step));
    }
    return machine.dependencyText(u"native"_s, {}, u"pay"_s) +
           machine.dependencyText(u"natural"_s, {}, u"crm"_s) +
           machine.dependencyText(u"probe"_s, {}, u"depot"_s) +
           machine.dependencyText(u"none"_s, {}, u"mail"_s) +
           Machine::workflowText(steps, u"24h"_s);
}

// A door of the driver's own that survives the database: a start that was not answered is asked
// again with the same id.
class Feeder
{
public:
    explicit Feeder(const Machine &machine) : m_url(machine.url()) {}

    bool start(int number)
    {
        const QString id = u"r%1"_s.arg(number);
        const bool mails = number % everyHowManyMails == 0;
        const QJsonObject input{{u"id"_s, id}, {u"mails"_s, mails}};
        const auto answer = call(u"start"_s, {{u"workflow"_s, u"flow"_s}, {u"input"_s, input}});
        if (answer)
            started.insert(id, (*answer)[u"run_id"_s].toString());
        return answer.ok();
    }
    model::Result<QJsonObject> call(const QString &name, const QJsonObject &arguments)
    {
        if (!m_door) {
            auto made = store::openStore(m_url);
            if (!made)
                return made.error();
            m_store = std::move(*made);
            if (const auto opened = m_store->open(); !opened)
                return opened.error();
            m_door = std::make_unique<control::LocalDoor>(
                *m_store, control::Surroundings{store::auditHash, [] { return QJsonObject(); }});
        }
        const auto answer =
            m_door->call({model::newId(m_clock.now()), name, arguments, u"driver"_s});
        if (!answer) {
            close();
            return answer.error();
        }
        return answer->toObject();
    }
    // Every table is what the journal says.
    model::Result<runtime::RebuildReport> compare()
    {
        runtime::Catalog catalog;
        return runtime::rebuild(*m_store, catalog, false);
    }
    model::Entries journalOf(const QString &event)
    {
        const auto rows = m_store->journal(started.value(event));
        if (!rows)
            qFatal("%s", qPrintable(rows.error().message));
        model::Entries entries;
        for (const ports::JournalRow &row : *rows)
            entries += model::entriesFromJson(row.entries);
        return entries;
    }
    void close()
    {
        m_door.reset();
        m_store.reset();
    }

    QHash<QString, QString> started; // what was acknowledged: event to run

private:
    const QString m_url;
    ports::SystemClock m_clock;
    std::unique_ptr<ports::Store> m_store;
    std::unique_ptr<control::LocalDoor> m_door;
};

struct Figures {
    int kills = 0;
    int freezes = 0;
    int atPoints = 0;
    int crashes = 0;
    int cuts = 0;
};

// The workers, each in its place; who dies is replaced.
class Crew
{
public:
    Crew(const Machine &machine, int size, Dice &dice) : m_machine(machine), m_dice(dice)
    {
        m_places.resize(size_t(size));
    }

    void keepUp(Figures &figures)
    {
        for (Place &place : m_places) {
            if (place.worker && place.hasOrders && !place.isFrozen && isStopped(place))
                staysFrozen(place, figures);
            if (place.isFrozen && place.frozenUntil.hasExpired())
                thaw(place);
            const bool isThere =
                place.worker && place.worker->process().state() != QProcess::NotRunning;
            if (!isThere)
                replace(place, figures);
        }
    }
    void kill(Figures &figures)
    {
        Place &place = any();
        signal(place, SIGKILL);
        place.worker->waitUntilKilled();
        ++figures.kills;
    }
    void freeze(Figures &figures)
    {
        Place &place = any();
        if (place.isFrozen)
            return;
        signal(place, SIGSTOP);
        staysFrozen(place, figures);
    }
    // All end as they would at the end of a shift, save those with orders, who might never.
    void dismiss()
    {
        for (Place &place : m_places) {
            thaw(place);
            signal(place, place.hasOrders ? SIGKILL : SIGTERM);
            place.worker->waitForExit();
        }
    }

private:
    struct Place {
        std::unique_ptr<WorkerProcess> worker;
        bool isFrozen = false;
        bool hasOrders = false;
        QDeadlineTimer frozenUntil;
    };

    Place &any() { return m_places[size_t(m_dice.below(int(m_places.size())))]; }
    // To nobody, where it has ended already: process 0 would be all of us.
    static void signal(const Place &place, int number)
    {
        if (place.worker->pid() > 0)
            ::kill(pid_t(place.worker->pid()), number);
    }
    static void thaw(Place &place)
    {
        if (place.isFrozen)
            signal(place, SIGCONT);
        place.isFrozen = false;
    }
    void replace(Place &place, Figures &figures)
    {
        WorkerProcess::Variables variables;
        place.isFrozen = false;
        place.hasOrders = m_dice.oneIn(2);
        if (place.hasOrders) {
            const QString point = points.at(m_dice.below(int(points.size())));
            const QString order =
                m_dice.oneIn(3) ? u"HOLDFAST_FREEZE_AT"_s : u"HOLDFAST_CRASH_AT"_s;
            variables.insert(order, u"%1:%2"_s.arg(point).arg(1 + m_dice.below(60)));
            ++figures.atPoints;
        }
        place.worker = std::make_unique<WorkerProcess>(m_machine, QStringList(), variables);
    }
    // As /proc says: it stopped where it was told to.
    static bool isStopped(const Place &place)
    {
        QFile stat(u"/proc/%1/stat"_s.arg(place.worker->pid()));
        if (!stat.open(QIODevice::ReadOnly))
            return false;
        const QByteArray line = stat.readAll();
        return line.mid(line.lastIndexOf(')') + 2, 1) == "T";
    }
    void staysFrozen(Place &place, Figures &figures)
    {
        place.isFrozen = true;
        place.frozenUntil = QDeadlineTimer(m_dice.between(100, 3500)); // the lease is a second
        ++figures.freezes;
    }

    const Machine &m_machine;
    Dice &m_dice;
    std::vector<Place> m_places;
};

// The world declares after how long "absent" is an answer. Where it was asked later than that, said
// so and was right, what happened afterwards came later than declared: of a worker that stood still
// between its last look and its first byte and never came to report it, or because the world itself
// stood still. No client can tell either from a request that never left.
bool cameLaterThanDeclared(const model::Entries &entries, const QString &step,
                           const QVector<qint64> &effects)
{
    model::Instant ended = model::never;
    model::Instant asked = model::never;
    model::Instant cleared = model::never; // when the question was asked that cleared it
    for (const model::Entry &entry : entries) {
        if (entry.step != step)
            continue;
        const bool isVerify = entry.direction == model::Direction::verify;
        if (entry.kind == model::EntryKind::attemptEnded && !isVerify)
            ended = entry.at;
        if (entry.kind == model::EntryKind::intent && isVerify)
            asked = entry.at;
        if (entry.kind == model::EntryKind::clearedAbsent && ended != model::never &&
            asked >= ended + settleAfter)
            cleared = asked;
    }
    return cleared != model::never &&
           std::all_of(effects.cbegin(), effects.cend(), [&](qint64 at) { return at >= cleared; });
}

QString told(const model::Entries &entries, const QVector<qint64> &effects)
{
    QStringList lines;
    for (const model::Entry &entry : entries)
        lines << QString::fromUtf8(model::compactJson(entry.toJson()));
    for (const qint64 at : effects)
        lines << u"effect at %1"_s.arg(at);
    return lines.join(u'\n');
}

int secondsOfMayhem(int brief, int lengthy)
{
    const int wanted = qEnvironmentVariableIntValue("HOLDFAST_CHAOS_SECONDS");
    if (wanted > 0)
        return wanted;
    return qEnvironmentVariableIsSet("HOLDFAST_TEST_LONG") ? lengthy : brief;
}
} // namespace

class Mayhem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onPostgres()
    {
        PostgresServer server;
        QVERIFY2(server.start(), qPrintable(server.error()));
        Machine machine(server.createDatabase());
        machine.deploy(definitions(machine));
        Feeder feeder(machine);
        Dice dice(seed());
        Figures figures;
        Crew crew(machine, 4, dice);
        machine.world.faults().chaos(7, 15);
        int next = 0;
        QElapsedTimer timer;
        timer.start();
        const int seconds = secondsOfMayhem(15, 3600);
        while (timer.elapsed() < seconds * 1000) {
            crew.keepUp(figures);
            while (next < timer.elapsed() * runsASecond / 1000 && feeder.start(next))
                ++next;
            awaitChanges(machine, int(dice.between(1, 40)));
            switch (dice.below(7)) {
            case 0:
            case 1: crew.kill(figures); break;
            case 2:
            case 3: crew.freeze(figures); break;
            case 4:
                server.killConnections(QUrl(machine.url()).path().mid(1));
                ++figures.cuts;
                break;
            case 5:
                QVERIFY2(server.stop(u"immediate"_s) && server.startAgain(),
                         qPrintable(server.error()));
                ++figures.crashes;
                break;
            default: break;
            }
        }
        judge(machine, feeder, crew, figures, next);
    }

    // A file has one owner; who takes its place finds what it left.
    void onSqlite()
    {
        Machine machine(Machine::Database::sqlite);
        machine.deploy(definitions(machine));
        Feeder feeder(machine);
        const int runs = secondsOfMayhem(120, 5000);
        for (int i = 0; i < runs; ++i)
            QVERIFY(feeder.start(i));
        feeder.close();
        Dice dice(seed());
        Figures figures;
        Crew crew(machine, 1, dice);
        machine.world.faults().chaos(7, 15);
        // The last tenth is carried out in the calm.
        while (machine.world.books().effectCount() < runs * 27 / 10) {
            crew.keepUp(figures);
            awaitChanges(machine, int(dice.between(1, 40)));
            if (dice.oneIn(3))
                crew.kill(figures);
            else if (dice.oneIn(2))
                crew.freeze(figures);
        }
        judge(machine, feeder, crew, figures, runs);
    }

private:
    static quint64 seed()
    {
        const int given = qEnvironmentVariableIntValue("HOLDFAST_CHAOS_SEED");
        return given > 0 ? quint64(given) : 7;
    }

    // Until the world has seen so much, or nobody is left who could show it anything.
    static void awaitChanges(Machine &machine, int count)
    {
        const quint64 wanted = machine.world.books().changes() + quint64(count);
        Q_UNUSED(QTest::qWaitFor([&] { return machine.world.books().changes() >= wanted; }, 1500));
    }

    void judge(Machine &machine, Feeder &feeder, Crew &crew, Figures &figures, int runs)
    {
        machine.world.faults().chaos(7, 0);
        crew.dismiss();
        finishAlone(machine);
        feeder.close(); // its connection may be of before the last crash

        QHash<QString, QString> statuses = statusesOf(feeder);
        QCOMPARE(statuses.size(), runs);
        verifyTables(feeder);
        const QSet<QString> suspected = suspectedRuns(feeder);
        int reviews = 0;
        QHash<QString, QVector<qint64>> effects;
        for (const sandbox::EffectRecord &effect : machine.world.books().effects())
            effects[effect.key].append(effect.time);
        int twice = 0;
        int late = 0;
        for (int i = 0; i < runs; ++i) {
            const QString id = u"r%1"_s.arg(i);
            QVERIFY2(feeder.started.contains(id), qPrintable(id));
            const QString status = statuses.value(id);
            reviews += status == "review"_L1;
            QVERIFY2(status == "succeeded"_L1 || status == "review"_L1,
                     qPrintable(id + u" is "_s + status));
            for (const QString &step : {u"bill"_s, u"file"_s, u"hold"_s, u"tell"_s}) {
                const QVector<qint64> times = effects.value(step + u':' + id);
                const qsizetype count = times.size();
                const bool isMissing = status == "succeeded"_L1 && count == 0 &&
                                       (step != "tell"_L1 || i % everyHowManyMails == 0);
                QVERIFY2(!isMissing, qPrintable(u"%1 of %2 never happened"_s.arg(step, id)));
                if (count <= 1)
                    continue;
                const bool isNoticed = step == "hold"_L1 && suspected.contains(id);
                const model::Entries entries = feeder.journalOf(id);
                const bool isLate =
                    step == "hold"_L1 && cameLaterThanDeclared(entries, step, times);
                QVERIFY2(
                    isNoticed || isLate,
                    qPrintable(u"%1 of %2 happened %3 times\n%4"_s.arg(step, id).arg(count).arg(
                        told(entries, times))));
                twice += isNoticed;
                late += !isNoticed;
            }
        }
        // Straight out: after two thousand warnings of workers that lost their database, QTest says
        // nothing more.
        QTextStream(stdout)
            << u"%1 runs, %2 effects, %3 requests; %4 kills, %5 workers told to die at a point, "_s
                   .arg(runs)
                   .arg(machine.world.books().effectCount())
                   .arg(machine.world.books().requestCount())
                   .arg(figures.kills)
                   .arg(figures.atPoints)
            << u"%1 freezes, %2 crashes of the database, %3 cuts; %4 in review, "_s
                   .arg(figures.freezes)
                   .arg(figures.crashes)
                   .arg(figures.cuts)
                   .arg(reviews)
            << u"%1 twice and noticed, %2 twice because the first came later than the world "
               "declares, 0 twice otherwise, 0 lost"_s.arg(twice)
                   .arg(late)
            << Qt::endl;
    }

    static void verifyTables(Feeder &feeder)
    {
        const auto compared = feeder.compare();
        QVERIFY2(compared.ok(), compared ? "" : qPrintable(compared.error().message));
        QVERIFY2(compared->differences.isEmpty(), qPrintable(compared->differences.join(u'\n')));
        const auto audit = feeder.call(u"audit_verify"_s, {});
        QVERIFY2(audit.ok(), audit ? "" : qPrintable(audit.error().message));
        QVERIFY(audit->value(u"intact"_s).toBool());
    }

    // What the drained workers left is carried out by one that ends when nothing is left to do.
    static void finishAlone(Machine &machine)
    {
        WorkerProcess last(machine, {u"--until-idle"_s});
        const int code = last.waitForExit(10 * WorkerProcess::patienceMs);
        QVERIFY2(code == 0 || code == 3, qPrintable(QString::number(code)));
    }

    static QHash<QString, QString> statusesOf(Feeder &feeder)
    {
        QHash<QString, QString> statuses;
        QString cursor;
        do {
            QJsonObject arguments{{u"limit"_s, 200}};
            if (!cursor.isEmpty())
                arguments.insert(u"cursor"_s, cursor);
            const auto page = feeder.call(u"runs"_s, arguments);
            if (!page)
                qFatal("%s", qPrintable(page.error().message));
            const QJsonArray rows = page->value(u"runs"_s).toArray();
            for (const QJsonValue &row : rows)
                statuses.insert(row[u"event_id"_s].toString(), row[u"status"_s].toString());
            cursor = page->value(u"cursor"_s).toString();
        } while (!cursor.isEmpty());
        return statuses;
    }

    // I1c: what a frozen worker sent too late is admitted where a person is asked about it.
    static QSet<QString> suspectedRuns(Feeder &feeder)
    {
        QSet<QString> ids;
        const auto answer = feeder.call(u"reviews"_s, {{u"kind"_s, u"conflict"_s}});
        if (!answer)
            qFatal("%s", qPrintable(answer.error().message));
        const QJsonArray items = answer->value(u"reviews"_s).toArray();
        for (const QJsonValue &item : items)
            ids.insert(feeder.started.key(item[u"run_id"_s].toString()));
        return ids;
    }
};

QTEST_GUILESS_MAIN(Mayhem)
#include "tst_mayhem.moc"
