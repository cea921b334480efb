// One suite for all stores: signatures, and what a report asks by time. Method as in
// tst_conformance.cpp.
#include "model/json.h"
#include "store/store_suite.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::ports;
using holdfast::tests::StoreFixture;
using model::RunStatus;

class ConformanceSignoffs : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    static SignoffRow signoffOf(Instant since, Instant at)
    {
        const QString figures = QStringLiteral("{\"figures\":[]}");
        return {since,
                since + model::day,
                QStringLiteral("ada"),
                at,
                QStringLiteral("quiet"),
                figures,
                model::sha256Hex(figures.toUtf8()),
                7,
                6,
                QStringLiteral("end")};
    }
    void audit(const QString &chain, Instant at, const QString &action)
    {
        AuditRow row;
        row.chain = chain;
        row.at = at;
        row.actor = QStringLiteral("ada");
        row.action = action;
        row.body = QStringLiteral("{}");
        OK(m_store->appendAudit(row));
    }
    void endRun(const QString &event, RunStatus status, Instant finished)
    {
        RunRow row = start(event).run;
        row.status = status;
        row.due = model::never;
        row.finishedAt = finished;
        OK(m_store->replaceRun(row));
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshStore(); }
    void cleanup() { dropStore(); }

    void a_window_is_signed_once()
    {
        const Instant now = at();
        auto added = m_store->addSignoff(signoffOf(model::day, now));
        OK(added);
        QVERIFY(*added);
        SignoffRow again = signoffOf(model::day, now + 1);
        again.by = QStringLiteral("bob");
        added = m_store->addSignoff(again);
        OK(added);
        QVERIFY(!*added);
        const auto kept = m_store->signoff(model::day, 2 * model::day);
        OK(kept);
        QVERIFY(kept->has_value());
        QCOMPARE((*kept)->by, QStringLiteral("ada"));
        QCOMPARE((*kept)->figures, signoffOf(1, 1).figures);
        QCOMPARE((*kept)->figuresHash, signoffOf(1, 1).figuresHash);
        QCOMPARE((*kept)->auditSeq, 7);
        QCOMPARE((*kept)->auditRows, 6);
        QCOMPARE((*kept)->auditHash, QStringLiteral("end"));
        QCOMPARE((*kept)->note, QStringLiteral("quiet"));
        QVERIFY(!*m_store->signoff(model::day, 3 * model::day));
    }

    void a_rollback_takes_a_signature_back()
    {
        OK(m_store->begin());
        OK(m_store->addSignoff(signoffOf(model::day, at())));
        m_store->rollback();
        QVERIFY(!*m_store->signoff(model::day, 2 * model::day));
    }

    void the_newest_signature_comes_first()
    {
        const Instant now = at();
        OK(m_store->addSignoff(signoffOf(5 * model::day, now)));
        OK(m_store->addSignoff(signoffOf(2 * model::day, now + 20)));
        OK(m_store->addSignoff(signoffOf(9 * model::day, now + 10)));
        const auto rows = m_store->signoffs(2);
        OK(rows);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).since, 2 * model::day);
        QCOMPARE(rows->at(1).since, 9 * model::day);
    }

    void what_concerned_everything_is_found_by_time()
    {
        const Instant now = at();
        audit(QStringLiteral("system"), now - 50, QStringLiteral("early"));
        audit(QStringLiteral("system"), now + 20, QStringLiteral("second"));
        audit(QStringLiteral("system"), now + 10, QStringLiteral("first"));
        audit(QStringLiteral("of a run"), now + 15, QStringLiteral("retry"));
        audit(QStringLiteral("system"), now + 30, QStringLiteral("late"));
        const auto rows = m_store->systemAudit(now, now + 30, 10);
        OK(rows);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).action, QStringLiteral("second"));
        QCOMPARE(rows->at(1).action, QStringLiteral("first"));
        QCOMPARE(m_store->systemAudit(now, now + 30, 1)->first().action, QStringLiteral("second"));
    }

    // Opening a file voids the leases in it; a report would else take every week before for one
    // without a worker.
    void how_long_a_worker_lived_outlasts_its_lease()
    {
        registerWorker(QStringLiteral("w"), model::hour);
        const Instant until = m_store->workers()->first().leaseUntil;
        m_store.reset();
        m_store = m_fixture->connect();
        const auto workers = m_store->workers();
        OK(workers);
        QCOMPARE(workers->size(), 1);
        QCOMPARE(std::max(workers->first().leaseUntil, workers->first().livedUntil), until);
        if (m_fixture->kind() == StoreFixture::Kind::sqlite)
            QCOMPARE(workers->first().leaseUntil, model::never);
    }

    // A lid that was shut for a night is a gap in the figures; a connection lost for a moment is
    // none.
    void a_worker_that_slept_has_two_lives()
    {
        const QString id = QStringLiteral("w");
        const auto rows = [this] {
            const auto workers = m_store->workers();
            return workers ? *workers : QVector<ports::WorkerRow>();
        };
        registerWorker(id, model::hour);
        const Instant began = rows().first().startedAt;
        registerWorker(id, model::hour);
        OK(m_store->renewLease(id, model::second, QStringLiteral("running")));
        QCOMPARE(rows().size(), 1);
        QCOMPARE(rows().first().startedAt, began);
        for (const bool isRegistered : {true, false}) {
            m_fixture->clock.advance(model::second);
            const auto slept =
                m_store->renewLease(id, -2 * model::minute, QStringLiteral("running"));
            OK(slept);
            if (isRegistered)
                OK(m_store->renewLease(id, model::minute, QStringLiteral("running")));
            else
                registerWorker(id, model::minute);
            const auto lives = rows();
            QCOMPARE(lives.size(), isRegistered ? 2 : 3);
            const auto own = std::find_if(lives.cbegin(), lives.cend(),
                                          [&](const auto &row) { return row.id == id; });
            QVERIFY(own->startedAt > *slept && own->leaseUntil > own->startedAt);
            QCOMPARE(own->state, QStringLiteral("running"));
            const bool isKept = std::any_of(lives.cbegin(), lives.cend(), [&](const auto &row) {
                return row.id != id && row.livedUntil == *slept && row.leaseUntil == model::never &&
                       row.state == QStringLiteral("gone");
            });
            QVERIFY(isKept);
        }
    }

    void compensated_runs_are_found_by_their_end()
    {
        const Instant now = at();
        endRun(QStringLiteral("before"), RunStatus::compensated, now - 1);
        endRun(QStringLiteral("first"), RunStatus::compensated, now);
        endRun(QStringLiteral("good"), RunStatus::succeeded, now + 1);
        endRun(QStringLiteral("stuck"), RunStatus::compensationFailed, now + 2);
        endRun(QStringLiteral("after"), RunStatus::compensated, now + 10);
        const auto rows = m_store->undoneRuns(now, now + 10, 10);
        OK(rows);
        QCOMPARE(rows->size(), 2);
        QCOMPARE(rows->at(0).eventId, QStringLiteral("stuck"));
        QCOMPARE(rows->at(1).eventId, QStringLiteral("first"));
    }
};

QTEST_GUILESS_MAIN(ConformanceSignoffs)
#include "tst_conformance_signoffs.moc"
