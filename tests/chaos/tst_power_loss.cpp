// Goal: what was acknowledged survives a power failure, and what left had an intent on the disk.
// Method: the real engine and its real SQLite store, on a disk that loses and tears what was not
// synced, at any write and any sync: while the file is made, in a turn, while the log is folded
// into the file, and while it is opened again. What the machine finds is judged before it goes on.
// HOLDFAST_CHAOS_FAILURES says how often the power fails, HOLDFAST_CHAOS_SEED how.
#include "control/local_door.h"
#include "model/entry.h"
#include "model/ids.h"
#include "model/json.h"
#include "runtime/rebuild.h"
#include "runtime/routine.h"
#include "store/audit_chain.h"
#include "store/sqlite_store.h"
#include "support/forgetful_disk.h"
#include "support/machine.h"
#include "support/store_fixture.h"

#include <QJsonArray>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QUrlQuery>
#include <QtTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
constexpr int runsOfAMachine = 30;
constexpr int failuresOfAMachine = 40;
constexpr int framesBeforeFolding = 60; // of the log; in the product so many that it would be rare

QString definitions()
{
    const auto dependency = [](const QString &name, const QString &protection) {
        return u"holdfast: 1\ndependency: %1\nowner: team@example.com\n"
               "url: http://127.0.0.1:9\nidempotency: {protection: %2}\n---\n"_s.arg(name,
                                                                                     protection);
    };
    StepText bill{.name = u"bill"_s, .path = u"/invoices"_s, .dependency = u"pay"_s};
    StepText file{.name = u"file"_s,
                  .path = u"/contacts/${ input.id }"_s,
                  .method = u"PUT"_s,
                  .dependency = u"crm"_s};
    StepText hold{.name = u"hold"_s, .dependency = u"depot"_s, .verify = true};
    StepText tell{.name = u"tell"_s, .path = u"/messages"_s, .dependency = u"mail"_s};
    QStringList steps;
    for (StepText *step : {&bill, &file, &hold, &tell}) {
        step->attempts = 20;
        steps.append(Machine::stepText(*step));
    }
    return dependency(u"pay"_s, u"native"_s) + dependency(u"crm"_s, u"natural"_s) +
           dependency(u"depot"_s, u"probe"_s) + dependency(u"mail"_s, u"none"_s) +
           Machine::workflowText(steps, u"24h"_s);
}

// Its books outlive the machine. A machine without power sends nothing and hears nothing.
class World : public ports::Sender
{
public:
    World(const ForgetfulDisk &disk, Dice &dice) : m_disk(disk), m_dice(dice) {}

    void setReport(Report) override {}
    void drain() override {}
    void send(const model::Call &call) override
    {
        if (m_disk.isOff())
            return;
        unproven.append(call);
        const bool asks = call.direction == model::Direction::verify;
        const bool knowsTheKey = call.dependency == "pay"_L1 || call.dependency == "crm"_L1;
        if (!asks)
            effects[call.key] = knowsTheKey ? 1 : effects.value(call.key) + 1;
        model::CallResult result;
        result.runId = call.runId;
        result.step = call.step;
        result.direction = call.direction;
        result.attempt = call.attempt;
        result.fence = call.fence;
        result.status = 200;
        result.bodyComplete = true;
        result.body = "{\"id\":\"obj\",\"data\":[]}";
        if (asks && effects.contains(keyAskedFor(call)))
            result.body = "{\"data\":[{\"id\":\"obj\"}]}";
        if (m_dice.oneIn(12)) {
            result.status = -1;
            result.bodyComplete = false;
            result.body.clear();
            result.error = u"timeout"_s;
        }
        m_answers.append(result);
    }
    QVector<model::CallResult> takeAnswers() { return std::exchange(m_answers, {}); }
    void loseAnswers() { m_answers.clear(); }

    QHash<QString, int> effects;   // by key
    QVector<model::Call> unproven; // left, and no look at the disk has shown their intents yet

private:
    static QString keyAskedFor(const model::Call &call)
    {
        return QUrlQuery(QUrl(call.request.path)).queryItemValue(u"key"_s, QUrl::FullyDecoded);
    }

    const ForgetfulDisk &m_disk;
    Dice &m_dice;
    QVector<model::CallResult> m_answers;
};

// What one machine lives through, from an empty folder to the end of its last run.
class Story
{
public:
    Story(ForgetfulDisk &disk, quint64 seed) : m_disk(disk), m_dice(seed), m_world(disk, m_dice)
    {
        model::seedIds(seed);
        m_disk.switchOn();
        moveOn();
    }

    // The first thing that is not as it was promised; empty: all is.
    QString play()
    {
        for (int i = 0; i < failuresOfAMachine; ++i) {
            m_disk.failAt(m_dice.between(1, m_dice.oneIn(3) ? 3000 : 300));
            live();
            if (!m_disk.isOff())
                break; // nothing was left to do
            ++failures;
            m_world.loseAnswers();
            if (const QString wrong = comeBack(); !wrong.isEmpty())
                return u"after failure %1: %2"_s.arg(failures).arg(wrong);
        }
        m_disk.failAt(0);
        live();
        return judge();
    }

    int failures = 0;

private:
    // From the opening of the file until the power fails or nothing is left to do.
    void live()
    {
        m_clock.advance(model::minute); // a machine takes its time to start
        store::SqliteStore store(path(), store::SqliteStore::Mode::writer, &m_clock);
        if (!store.open())
            return;
        foldOften();
        control::LocalDoor door(store, surroundings());
        runtime::Catalog catalog;
        runtime::WorkerOptions options;
        options.id = u"w%1"_s.arg(++m_lives);
        options.memoryFile = m_memory.filePath(u"memory"_s);
        runtime::Routine routine(store, catalog, m_world, m_clock, options);
        if (!m_isDeployed && !deploy(door))
            return;
        while (!m_disk.isOff()) {
            if (m_started.size() < runsOfAMachine && m_dice.oneIn(2))
                start(door);
            routine.add(m_world.takeAnswers());
            if (!routine.getReady() || !routine.turn())
                continue;
            note(store);
            routine.sweep();
            if (m_started.size() == runsOfAMachine && routine.isSettled() && !routine.hasResults())
                return;
            m_clock.advance(std::max<model::Millis>(1, routine.wait()));
        }
    }
    bool deploy(control::LocalDoor &door)
    {
        const QJsonObject file{{u"file"_s, u"flow.yaml"_s}, {u"text"_s, definitions()}};
        m_isDeployed = ask(door, u"deploy"_s, {{u"files"_s, QJsonArray{file}}}).ok();
        return m_isDeployed;
    }
    void start(control::LocalDoor &door)
    {
        const QString id = u"r%1"_s.arg(m_started.size());
        const auto answer =
            ask(door, u"start"_s,
                {{u"workflow"_s, u"flow"_s}, {u"input"_s, QJsonObject{{u"id"_s, id}}}});
        if (answer)
            m_started.append((*answer)[u"run_id"_s].toString());
    }
    model::Result<QJsonValue> ask(control::LocalDoor &door, const QString &name,
                                  const QJsonObject &arguments)
    {
        return door.call({model::newId(m_clock.now()), name, arguments, u"ada"_s});
    }
    // Whatever anybody was shown has to be there for ever.
    void note(ports::Store &store)
    {
        if (const auto rows = store.journalAfter(m_known.isEmpty() ? 0 : m_known.last().id, 1000))
            m_known += *rows;
    }

    // The power is back: what the disk has left is looked at in a copy, and lived on with.
    QString comeBack()
    {
        const QString before = path();
        const QString lock = u".lock"_s;
        auto last = std::move(m_folder);
        moveOn();
        QTemporaryDir copy;
        const QStringList folders{m_folder->path(), copy.path()};
        if (!m_disk.leave(before, folders, m_dice))
            return u"the test cannot write what is left"_s;
        for (const QString &folder : folders)
            QFile::copy(before + lock, folder + u"/runs.db"_s + lock);
        m_disk.switchOn();
        return look(copy.filePath(u"runs.db"_s));
    }
    QString look(const QString &file)
    {
        store::SqliteStore store(file, store::SqliteStore::Mode::writer, &m_clock);
        if (const auto opened = store.open(); !opened)
            return u"the file cannot be opened: "_s + opened.error().message;
        if (const QString damage = integrity(); damage != "ok"_L1)
            return u"the file is damaged: "_s + damage;
        control::LocalDoor door(store, surroundings());
        const auto audit = ask(door, u"audit_verify"_s, {});
        if (!audit || !(*audit)[u"intact"_s].toBool())
            return u"the audit is not intact"_s;
        runtime::Catalog catalog;
        const auto compared = runtime::rebuild(store, catalog, false);
        if (!compared || !compared->differences.isEmpty())
            return compared ? compared->differences.first() : compared.error().message;
        return compare(store);
    }
    QString compare(ports::Store &store)
    {
        const auto rows = store.journalAfter(0, 100'000);
        if (!rows)
            return rows.error().message;
        for (qsizetype i = 0; i < m_known.size(); ++i) {
            if (i >= rows->size() || rows->at(i).id != m_known.at(i).id ||
                rows->at(i).entries != m_known.at(i).entries)
                return u"row %1 of the journal was shown and is lost"_s.arg(m_known.at(i).id);
        }
        for (const QString &run : std::as_const(m_started)) {
            const auto isOfIt = [&](const ports::JournalRow &row) { return row.runId == run; };
            if (std::none_of(rows->cbegin(), rows->cend(), isOfIt))
                return u"run %1 was acknowledged and is lost"_s.arg(run);
        }
        m_known = *rows;
        for (const model::Call &call : std::exchange(m_world.unproven, {})) {
            if (!hasIntent(call))
                return u"attempt %1 of %2 left without an intent"_s.arg(call.attempt).arg(call.key);
        }
        return {};
    }
    bool hasIntent(const model::Call &call) const
    {
        for (const ports::JournalRow &row : m_known) {
            if (row.runId != call.runId)
                continue;
            const model::Entries entries = model::entriesFromJson(row.entries);
            for (const model::Entry &entry : entries) {
                if (entry.kind == model::EntryKind::intent && entry.step == call.step &&
                    entry.direction == call.direction && entry.attempt == call.attempt)
                    return true;
            }
        }
        return false;
    }

    QString judge()
    {
        store::SqliteStore store(path(), store::SqliteStore::Mode::writer, &m_clock);
        if (const auto opened = store.open(); !opened)
            return opened.error().message;
        if (const QString wrong = compare(store); !wrong.isEmpty())
            return wrong;
        control::LocalDoor door(store, surroundings());
        for (const QString &id : std::as_const(m_started)) {
            const auto run = ask(door, u"show"_s, {{u"run"_s, id}});
            const QString status = run ? (*run)[u"status"_s].toString() : run.error().message;
            if (status != "succeeded"_L1 && status != "review"_L1)
                return u"run %1 is %2"_s.arg(id, status);
        }
        for (auto effect = m_world.effects.cbegin(); effect != m_world.effects.cend(); ++effect) {
            if (*effect > 1)
                return u"%1 happened %2 times"_s.arg(effect.key()).arg(*effect);
        }
        const auto pauses = store.pauses(true);
        if (!pauses || !pauses->isEmpty())
            return u"the database was taken for one that was restored from a backup"_s;
        return {};
    }

    static control::Surroundings surroundings()
    {
        return {store::auditHash, [] { return QJsonObject(); }};
    }
    // Of the one connection there is: the store's.
    static QSqlQuery onItsConnection(const QString &statement)
    {
        QSqlQuery query(QSqlDatabase::database(QSqlDatabase::connectionNames().constLast()));
        query.exec(statement);
        return query;
    }
    static void foldOften()
    {
        onItsConnection(u"pragma wal_autocheckpoint=%1"_s.arg(framesBeforeFolding));
    }
    static QString integrity()
    {
        QSqlQuery query = onItsConnection(u"pragma integrity_check"_s);
        return query.next() ? query.value(0).toString() : query.lastError().text();
    }
    void moveOn() { m_folder = std::make_unique<QTemporaryDir>(); }
    QString path() const { return m_folder->filePath(u"runs.db"_s); }

    ForgetfulDisk &m_disk;
    Dice m_dice;
    World m_world;
    SettableClock m_clock;
    QTemporaryDir m_memory;
    std::unique_ptr<QTemporaryDir> m_folder;
    int m_lives = 0;
    bool m_isDeployed = false;
    QStringList m_started;              // acknowledged, by run
    QVector<ports::JournalRow> m_known; // somebody saw them
};

quint64 seed()
{
    const int given = qEnvironmentVariableIntValue("HOLDFAST_CHAOS_SEED");
    return given > 0 ? quint64(given) : 7;
}

int failuresWanted()
{
    const int wanted = qEnvironmentVariableIntValue("HOLDFAST_CHAOS_FAILURES");
    if (wanted > 0)
        return wanted;
    return qEnvironmentVariableIsSet("HOLDFAST_TEST_LONG") ? 20'000 : 200;
}
} // namespace

class PowerLoss : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingAcknowledgedIsLost()
    {
        ForgetfulDisk disk;
        int failures = 0;
        int machines = 0;
        for (quint64 number = seed(); failures < failuresWanted(); ++number) {
            Story story(disk, number);
            const QString wrong = story.play();
            QVERIFY2(wrong.isEmpty(),
                     qPrintable(u"%1\nHOLDFAST_CHAOS_SEED=%2"_s.arg(wrong).arg(number)));
            failures += story.failures;
            ++machines;
        }
        const ForgetfulDisk::Figures &figures = disk.figures();
        QTextStream(stdout)
            << u"%1 power failures of %2 machines; %3 syncs, %4 writes into files, 0 lost"_s
                   .arg(failures)
                   .arg(machines)
                   .arg(figures.syncs)
                   .arg(figures.writesToFile)
            << Qt::endl;
        QVERIFY(figures.writesToFile > machines);
    }

    // What a database does that does not wait for its log; the judge has to see it.
    void aDiskThatAnswersTooEarlyIsFoundOut()
    {
        ForgetfulDisk disk(ForgetfulDisk::Log::notSynced);
        QString wrong;
        for (quint64 number = seed(); wrong.isEmpty() && number < seed() + 20; ++number)
            wrong = Story(disk, number).play();
        QVERIFY2(wrong.contains(u"lost"_s) || wrong.contains(u"without an intent"_s),
                 qPrintable(wrong));
    }
};

QTEST_GUILESS_MAIN(PowerLoss)
#include "tst_power_loss.moc"
