// Failure groups at the command line: listed, shown, decided about, and found again in the list of
// runs; whatever is typed wrong is named. Method: the real binary and a workflow that fails without
// a network.
#include "ctl/ctl_process.h"

using namespace Qt::StringLiterals;
using namespace holdfast::tests;

namespace
{
// Fails at the step it is told to.
const char *const workflow = R"(holdfast: 1
workflow: orders
version: 1
owner: team@example.com
deadline: 5m
event_id: ${ input.id }
input:
  type: object
  required: [id, bad]
steps:
  - step: amount
    check: ${ input.bad !== 'amount' }
  - step: stock
    check: ${ input.bad !== 'stock' }
)";
} // namespace

class GroupCommands : public QObject
{
    Q_OBJECT

private:
    CtlBench m_bench;

    QJsonArray groups(const QStringList &more = {}) const
    {
        return m_bench.json(QStringList{u"groups"_s} + more).json()["groups"_L1].toArray();
    }
    QJsonValue done(const QStringList &line) const
    {
        const CtlResult result = m_bench.json(QStringList{u"group"_s} + line);
        if (result.code != 0)
            qFatal("%s: %s", qPrintable(line.join(u' ')), result.err.constData());
        return result.json();
    }

private Q_SLOTS:
    void initTestCase()
    {
        const CtlResult deployed =
            m_bench.json({u"deploy"_s, m_bench.write(u"orders.yaml"_s, workflow)});
        QVERIFY2(deployed.code == 0, deployed.err.constData());
        QVERIFY(m_bench.run({u"groups"_s}).out.contains("no failures in this window"));
        for (const QString &event : {u"1 amount"_s, u"2 amount"_s, u"3 stock"_s, u"4 none"_s}) {
            const QString input = u"{\"id\":\"%1\",\"bad\":\"%2\"}"_s.arg(event.section(u' ', 0, 0),
                                                                          event.section(u' ', 1));
            QCOMPARE(m_bench.json({u"start"_s, u"orders"_s, u"--input"_s, input}).code, 0);
        }
        QVERIFY(m_bench.run({u"worker"_s, u"--until-idle"_s}).code >= 0);
        QCOMPARE(groups().size(), 2);
    }

    void groups_are_listed_and_shown()
    {
        const QJsonArray list = groups();
        QCOMPARE(list.at(0)["step"_L1].toString(), u"amount"_s);
        QCOMPARE(list.at(0)["runs"_L1].toInt(), 2);
        QCOMPARE(groups({u"--limit"_s, u"1"_s}).size(), 1);
        QCOMPARE(groups({u"--status"_s, u"new,ongoing"_s}).size(), 2);
        QCOMPARE(groups({u"--workflow"_s, u"other"_s}).size(), 0);
        const QByteArray id = list.at(0)["id"_L1].toString().toUtf8();
        QVERIFY(m_bench.run({u"groups"_s}).out.contains(id));
        QVERIFY(
            m_bench.run({u"groups"_s, u"--limit"_s, u"1"_s}).out.contains("--limit shows them"));
        const CtlResult whole = m_bench.run({u"group"_s, QString::fromUtf8(id)});
        QCOMPARE(whole.code, 0);
        QVERIFY(whole.out.contains("amount"));
    }

    void acts_are_done()
    {
        const QString id = groups().at(0)["id"_L1].toString();
        const QString other = groups().at(1)["id"_L1].toString();
        QCOMPARE(done({id, u"archive"_s, u"--reason"_s, u"known"_s})["status"_L1].toString(),
                 u"archived"_s);
        QCOMPARE(done({id, u"resolve"_s, u"--version"_s, u"2"_s})["status"_L1].toString(),
                 u"resolved"_s);
        QCOMPARE(done({id, u"reopen"_s})["disposition"_L1].toString(), QString());
        QCOMPARE(done({id, u"assign"_s, u"team-x"_s})["owner"_L1].toString(), u"team-x"_s);
        QCOMPARE(done({id, u"tag"_s, u"input"_s, u"partner"_s})["tags"_L1].toArray(),
                 (QJsonArray{u"input"_s, u"partner"_s}));
        QCOMPARE(done({id, u"note"_s, u"asked"_s, u"them"_s})["notes"_L1][0]["text"_L1].toString(),
                 u"asked them"_s);
        QCOMPARE(done({other, u"merge"_s, id})["runs"_L1].toInt(), 3);
        QCOMPARE(groups().size(), 1);
        done({other, u"unmerge"_s});
        QCOMPARE(groups().size(), 2);
    }

    void runs_are_found_by_filter()
    {
        const QString filter = u"group:"_s + groups().at(0)["id"_L1].toString();
        const auto runs = [this](const QString &text) {
            return m_bench.json({u"runs"_s, u"--filter"_s, text}).json()["runs"_L1].toArray();
        };
        QCOMPARE(runs(filter).size(), 2);
        QCOMPARE(runs(filter + u" event:1"_s).size(), 1);
        QCOMPARE(runs(u"status:succeeded"_s).size(), 1);
    }

    void mistakes_are_named_data()
    {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const QStringList &line, int code,
                            const QByteArray &words) {
            QTest::newRow(name) << line << code << words;
        };
        row("unknown group", {u"group"_s, u"nope"_s}, 1, "no failure group nope");
        row("act on unknown", {u"group"_s, u"nope"_s, u"archive"_s}, 1, "no failure group nope");
        row("unknown act", {u"group"_s, u"ID"_s, u"forget"_s}, 1, "forget is no act");
        row("no group", {u"group"_s}, 2, "usage");
        row("bad status", {u"groups"_s, u"--status"_s, u"green"_s}, 1, "green is no status");
        row("bad limit", {u"groups"_s, u"--limit"_s, u"many"_s}, 2, "whole number");
        row("limit", {u"groups"_s, u"--limit"_s, u"0"_s}, 1, "between 1 and");
        row("bad date", {u"groups"_s, u"--since"_s, u"monday"_s}, 1, "instant");
        row("long window", {u"groups"_s, u"--since"_s, u"2001-01-01"_s}, 1, "400 days");
        row("no version", {u"group"_s, u"ID"_s, u"resolve"_s}, 1, "needs the version");
        row("bad version", {u"group"_s, u"ID"_s, u"resolve"_s, u"--version"_s, u"x"_s}, 2,
            "whole number");
        row("no owner", {u"group"_s, u"ID"_s, u"assign"_s}, 2, "assign OWNER");
        row("no text", {u"group"_s, u"ID"_s, u"note"_s}, 2, "note TEXT");
        row("too many words", {u"group"_s, u"ID"_s, u"archive"_s, u"it"_s}, 2, "the acts are");
        row("into itself", {u"group"_s, u"ID"_s, u"merge"_s, u"ID"_s}, 1, "into itself");
        row("runs of no group", {u"runs"_s, u"--filter"_s, u"group:nope"_s}, 1,
            "no failure group nope");
        row("filter and part", {u"runs"_s, u"--filter"_s, u"x"_s, u"--status"_s, u"failed"_s}, 1,
            "not both");
        row("bad filter", {u"runs"_s, u"--filter"_s, u"colour:red"_s}, 1, "colour");
    }
    void mistakes_are_named()
    {
        QFETCH(QStringList, line);
        QFETCH(int, code);
        QFETCH(QByteArray, words);
        const QJsonArray before = groups();
        const QString id = before.at(0)["id"_L1].toString();
        const CtlResult result = m_bench.run(line.replaceInStrings(u"ID"_s, id));
        QCOMPARE(result.code, code);
        QVERIFY2(result.err.contains(words), result.err.constData());
        QCOMPARE(groups().at(0)["disposition"_L1], before.at(0)["disposition"_L1]);
    }
};

QTEST_GUILESS_MAIN(GroupCommands)
#include "tst_groups.moc"
