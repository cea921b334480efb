// Goal: an anchor shows what a chain cannot: rows cut off from the end, and rows written anew with
// hashes that fit (I23). Method: real acts on both databases, then the tables are changed behind
// our back, as somebody who owns them could.
#include "store/audit_chain.h"
#include "store/postgres_address.h"
#include "store/store_url.h"
#include "support/machine.h"
#include "support/postgres_server.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
// Somebody with the rights of the owner and bad intentions.
class Forger
{
public:
    explicit Forger(const QString &url) : m_isFile(url.startsWith("sqlite:"_L1))
    {
        m_database = QSqlDatabase::addDatabase(m_isFile ? u"QSQLITE"_s : u"QPSQL"_s, u"forger"_s);
        if (m_isFile)
            m_database.setDatabaseName(url.mid(7));
        else
            store::PostgresAddress::parse(url)->apply(m_database);
        if (!m_database.open())
            qFatal("%s", qPrintable(m_database.lastError().text()));
    }
    ~Forger()
    {
        m_database.close();
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(u"forger"_s);
    }
    Q_DISABLE_COPY_MOVE(Forger)

    void does(const QString &sql)
    {
        QSqlQuery query(m_database);
        const QString text = QString(sql).replace(u"@"_s, m_isFile ? QString() : u"holdfast."_s);
        if (!query.exec(text))
            qFatal("%s", qPrintable(query.lastError().text()));
    }
    ports::AuditRow lastRow()
    {
        QSqlQuery query(m_database);
        const QString text =
            QString(u"select seq, chain, chain_seq, at, actor, action, subject, body, "
                    "previous from @audit order by seq desc limit 1"_s)
                .replace(u"@"_s, m_isFile ? QString() : u"holdfast."_s);
        if (!query.exec(text) || !query.next())
            qFatal("%s", qPrintable(query.lastError().text()));
        return {query.value(0).toLongLong(), query.value(1).toString(),
                query.value(2).toLongLong(), query.value(3).toLongLong(),
                query.value(4).toString(),   query.value(5).toString(),
                query.value(6).toString(),   query.value(7).toString(),
                query.value(8).toString(),   {}};
    }

private:
    const bool m_isFile;
    QSqlDatabase m_database;
};
} // namespace

class AuditAnchorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void an_anchor_sees_what_a_chain_cannot_data()
    {
        QTest::addColumn<Machine::Database>("database");
        for (const auto database : {Machine::Database::sqlite, Machine::Database::postgres})
            QTest::newRow(Machine::nameOf(database).toLatin1()) << database;
    }
    void an_anchor_sees_what_a_chain_cannot()
    {
        QFETCH(Machine::Database, database);
        if (database == Machine::Database::postgres && !PostgresServer::shared())
            QSKIP("PostgreSQL is not installed");
        Machine machine(database);
        machine.deploy(machine.dependencyText(u"native"_s) +
                       Machine::workflowText({Machine::stepText({})}));
        machine.start(u"one"_s);
        pauseAndResume(machine);
        const QJsonObject anchor = machine.call(u"audit_anchor"_s, {});
        QVERIFY(anchor["rows"_L1].toInteger() >= 4);
        QCOMPARE(problems(machine, anchor), QString());
        // What is added later contradicts nothing.
        machine.start(u"two"_s);
        pauseAndResume(machine);
        QCOMPARE(problems(machine, anchor), QString());

        const QJsonObject later = machine.call(u"audit_anchor"_s, {});
        rewriteLast(machine);
        QCOMPARE(problems(machine, {}), QString());
        QCOMPARE(problems(machine, anchor), QString());
        QVERIFY2(problems(machine, later).contains("written anew"),
                 qPrintable(problems(machine, later)));
        cutOff(machine);
        QCOMPARE(problems(machine, {}), QString());
        QVERIFY2(problems(machine, later).contains("1 rows are missing"),
                 qPrintable(problems(machine, later)));

        Machine other(database);
        other.deploy(other.dependencyText(u"native"_s));
        QVERIFY(other.refusal(u"audit_verify"_s, {{u"anchors"_s, QJsonArray{later}}})
                    .contains("another database"));
        QVERIFY(machine.refusal(u"audit_verify"_s, {{u"anchors"_s, QJsonArray{u"nonsense"_s}}})
                    .contains("no anchor"));
        Forger(machine.url()).does(u"update @audit set actor = 'nobody' where seq = 1"_s);
        QVERIFY(machine.refusal(u"audit_anchor"_s, {}).contains("row 1 of chain"));
    }

private:
    static void pauseAndResume(Machine &machine)
    {
        machine.call(u"pause"_s, {{u"reason"_s, u"Ünï \"quoted\" \\ \t \u0001 \u2028 text"_s}});
        machine.call(u"resume"_s, {{u"reason"_s, u"over"_s}});
    }
    static QString problems(const Machine &machine, const QJsonObject &anchor)
    {
        QJsonObject arguments;
        if (!anchor.isEmpty())
            arguments.insert(u"anchors"_s, QJsonArray{anchor});
        auto store = store::openStore(machine.url());
        if (!(*store)->open())
            return u"not open"_s;
        control::LocalDoor door(**store, {store::auditHash, {}});
        const auto answer = door.call({u"id"_s, u"audit_verify"_s, arguments, u"ada"_s});
        QString text = answer ? QString() : answer.error().message;
        for (const QJsonValue &problem : answer ? (*answer)["problems"_L1].toArray() : QJsonArray())
            text += problem.toString();
        return text;
    }
    // Another reason, with a hash that fits, and the end of the chain moved along.
    static void rewriteLast(const Machine &machine)
    {
        Forger forger(machine.url());
        ports::AuditRow row = forger.lastRow();
        row.actor = u"mallory"_s;
        const QString hash = store::auditHash(row);
        forger.does(
            u"update @audit set actor = 'mallory', hash = '%1' where seq = %2"_s.arg(hash).arg(
                row.seq));
        forger.does(
            u"update @audit_head set hash = '%1' where chain = '%2'"_s.arg(hash, row.chain));
    }
    static void cutOff(const Machine &machine)
    {
        Forger forger(machine.url());
        const ports::AuditRow row = forger.lastRow();
        forger.does(u"delete from @audit where seq = %1"_s.arg(row.seq));
        forger.does(u"update @audit_head set chain_seq = %1, hash = '%2' where chain = '%3'"_s.arg(
            QString::number(row.chainSeq - 1), row.previous, row.chain));
    }
};

QTEST_GUILESS_MAIN(AuditAnchorTest)
#include "tst_audit_anchor.moc"
