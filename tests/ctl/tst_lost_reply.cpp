// Goal: the way from a file to a person's decision works through the real binary, alone and beside
// a running worker. Method: the sandbox in this process is the outside; the worker is another
// process that owns the file.
#include "ctl/ctl_process.h"

#include "app/sandbox/sandbox.h"

#include <QJsonArray>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

class LostReply : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<CtlBench> m_bench;
    std::unique_ptr<sandbox::SandboxThread> m_world;

    QByteArray definition() const
    {
        return u"holdfast: 1\ndependency: crm\nowner: team@example.com\nurl: %1\n"
               "idempotency:\n  protection: none\n---\n"
               "holdfast: 1\nworkflow: one\nversion: 1\nowner: team@example.com\ndeadline: 5m\n"
               "event_id: ${ input.id }\ninput:\n  type: object\n  required: [id]\n"
               "  properties:\n    id: {type: string}\nsteps:\n"
               "  - step: make\n    dependency: crm\n    effect: write\n"
               "    key: make:${ input.id }\n    ttl: 30d\n    timeout: 2s\n"
               "    http:\n      method: POST\n      path: /mail/v1/messages\n"
               "      body:\n        ref: make:${ input.id }\n        to: a@example.com\n"
               "    receipt:\n      id: ${ response.body.id }\n"
               "    compensate: none\n"_s.arg(m_world->origin())
                   .toUtf8();
    }
    QString start(const QString &id)
    {
        const CtlResult started =
            m_bench->json({u"start"_s, u"one"_s, u"--input"_s, u"{\"id\":\"%1\"}"_s.arg(id)});
        if (started.code != 0)
            qFatal("start failed: %s", started.err.constData());
        return started.json()["run_id"_L1].toString();
    }
    void loseReplies()
    {
        const auto scripted = m_world->faults().push(u"/mail/v1/messages"_s, {u"work_then_drop"_s});
        QVERIFY2(scripted.ok(), scripted.ok() ? "" : qPrintable(scripted.error().message));
    }

private Q_SLOTS:
    void init()
    {
        m_bench = std::make_unique<CtlBench>();
        m_world = std::make_unique<sandbox::SandboxThread>();
        const CtlResult deployed =
            m_bench->json({u"deploy"_s, m_bench->write(u"one.yaml"_s, definition())});
        QVERIFY2(deployed.code == 0, deployed.err.constData());
    }

    void a_lost_reply_waits_for_a_person_and_is_resolved_without_a_worker()
    {
        loseReplies();
        const QString run = start(u"a"_s);
        const CtlResult idle = m_bench->json({u"worker"_s, u"--until-idle"_s});
        QCOMPARE(idle.code, 3);
        QCOMPARE(idle.json()["reviews"_L1].toInt(), 1);
        QCOMPARE(m_world->books().effectCount(), 1);
        const CtlResult reviews = m_bench->json({u"reviews"_s});
        QCOMPARE(reviews.code, 3);
        const QString item = reviews.json()["reviews"_L1][0]["id"_L1].toString();
        const CtlResult resolved = m_bench->json({u"resolve"_s, item, u"happened"_s, u"--receipt"_s,
                                                  u"{\"id\":\"x\"}"_s, u"--reason"_s, u"seen"_s});
        QVERIFY2(resolved.code == 0, resolved.err.constData());
        QCOMPARE(resolved.json()["state"_L1].toString(), u"applied"_s);
        const CtlResult shown = m_bench->json({u"show"_s, run});
        QCOMPARE(shown.json()["status"_L1].toString(), u"succeeded"_s);
        QCOMPARE(m_bench->json({u"reviews"_s}).code, 0);
        QCOMPARE(m_world->books().effectCount(), 1);
        QCOMPARE(m_bench->json({u"rebuild"_s}).code, 0);
        QCOMPARE(m_bench->json({u"audit"_s, u"verify"_s}).code, 0);
    }

    void commands_reach_the_worker_that_owns_the_file()
    {
        loseReplies();
        QProcess worker;
        m_bench->prepare(worker, {u"worker"_s});
        worker.start();
        QVERIFY(worker.waitForStarted(CtlBench::patienceMs));
        // Waits for a person to be needed, which only the worker can bring about.
        const CtlResult started = m_bench->json(
            {u"start"_s, u"one"_s, u"--input"_s, u"{\"id\":\"b\"}"_s, u"--wait"_s, u"60"_s});
        QVERIFY2(started.code == 3, started.err.constData());
        const CtlResult second = m_bench->json({u"worker"_s, u"--until-idle"_s});
        QCOMPARE(second.code, 1);
        QVERIFY(second.err.contains(QByteArray::number(worker.processId())));
        const CtlResult reviews = m_bench->json({u"reviews"_s});
        const QString item = reviews.json()["reviews"_L1][0]["id"_L1].toString();
        const CtlResult resolved =
            m_bench->json({u"resolve"_s, item, u"happened"_s, u"--reason"_s, u"seen"_s});
        QVERIFY2(resolved.code == 0, resolved.err.constData());
        const CtlResult doctor = m_bench->json({u"doctor"_s});
        QCOMPARE(doctor.json()["workers_alive"_L1].toInt(), 1);
        QCOMPARE(doctor.json()["owner_pid"_L1].toInteger(), worker.processId());
        QVERIFY(worker.state() == QProcess::Running);
        ::kill(pid_t(worker.processId()), SIGTERM);
        QVERIFY(worker.waitForFinished(CtlBench::patienceMs));
        QCOMPARE(worker.exitCode(), 0);
        const QString run = started.json()["run_id"_L1].toString();
        QCOMPARE(m_bench->json({u"show"_s, run}).json()["status"_L1].toString(), u"succeeded"_s);
    }
};

QTEST_GUILESS_MAIN(LostReply)
#include "tst_lost_reply.moc"
