// One suite for all stores: quotas are swapped by version, all or none; what a worker holds is
// taken back when it is gone and not before; and what is due is shared evenly between workflows.
#include "store/store_suite.h"

#include <QTest>

using namespace holdfast;
using namespace holdfast::ports;
using namespace Qt::StringLiterals;
using holdfast::tests::StoreFixture;

class ConformanceQuotas : public QObject, private tests::StoreSuite
{
    Q_OBJECT

private:
    static QString holding(const QString &places)
    {
        return u"{\"places\":{%1},\"calls\":[],\"retries\":0,\"filled_at\":0,\"wanted_at\":0}"_s
            .arg(places);
    }
    QString placesAt(const QString &dependency)
    {
        const auto rows = m_store->quotas({dependency});
        if (!rows.ok() || rows->size() != 1)
            return u"?"_s;
        const QString text = rows->first().state.simplified().remove(u' ');
        return text.mid(text.indexOf(u"\"places\":"_s) + 9).section(u'}', 0, 0) + u'}';
    }

private Q_SLOTS:
    void initTestCase_data()
    {
        QTest::addColumn<StoreFixture::Kind>("kind");
        for (const StoreFixture::Kind kind : StoreFixture::available())
            QTest::newRow(qPrintable(StoreFixture::nameOf(kind))) << kind;
    }
    void init()
    {
        QFETCH_GLOBAL(StoreFixture::Kind, kind);
        m_fixture = std::make_unique<StoreFixture>(kind);
        m_store = m_fixture->connect();
    }
    void cleanup()
    {
        m_store.reset();
        m_fixture.reset();
    }

    void quotas_are_swapped_by_version()
    {
        QCOMPARE(m_store->quotas({u"payments"_s})->size(), 0);
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding({})}}).value(), true);
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding({})}}).value(), false);
        const QString held = holding(u"\"w\":2"_s);
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 1, held}}).value(), true);
        const auto rows = m_store->quotas({u"payments"_s, u"mail"_s});
        QCOMPARE(rows->size(), 1);
        QCOMPARE(rows->first().version, 2);
        QCOMPARE(rows->first().state, held);
        OK(m_store->begin());
        const auto gates = m_store->lockGates(u"w"_s);
        OK(gates);
        QCOMPARE(gates->quotas.size(), 1);
        QCOMPARE(gates->quotas.first().version, 2);
        QCOMPARE(gates->quotas.first().state, held);
        OK(m_store->commit());
    }

    void quotas_are_swapped_all_or_none()
    {
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding({})}}).value(), true);
        const QVector<QuotaRow> both{{u"mail"_s, 0, holding({})}, {u"payments"_s, 7, holding({})}};
        QCOMPARE(m_store->swapQuotas(both).value(), false);
        QCOMPARE(m_store->quotas({u"mail"_s})->size(), 0);
    }

    void what_is_no_quota_is_refused()
    {
        if (m_fixture->kind() == StoreFixture::Kind::memory)
            QSKIP("memory has no constraints of its own");
        QVERIFY(!m_store->swapQuotas({{u"payments"_s, 0, u"{}"_s}}).ok());
        QVERIFY(!m_store->swapQuotas({{u"payments"_s, 0, u"nonsense"_s}}).ok());
    }

    void places_are_taken_back_from_the_gone_alone()
    {
        registerWorker(u"alive"_s, model::hour);
        registerWorker(u"dead"_s, -1);
        registerWorker(u"dying"_s, -1);
        start(u"a"_s);
        const auto open = openAll(u"dying"_s); // its lease is over, its attempt is not
        QCOMPARE(open.size(), 1);
        const QString all = u"\"alive\":1,\"dead\":2,\"dying\":3"_s;
        QCOMPARE(m_store->swapQuotas({{u"mail"_s, 0, holding(all)}}).value(), true);
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding(all)}}).value(), true);
        OK(m_store->reclaimQuotas({u"payments"_s}));
        QCOMPARE(placesAt(u"payments"_s), u"{\"alive\":1,\"dying\":3}"_s);
        QCOMPARE(placesAt(u"mail"_s), u"{%1}"_s.arg(all));
        QCOMPARE(m_store->quotas({u"payments"_s})->first().version, 2);
        OK(m_store->reclaimQuotas({u"payments"_s})); // nothing is left to take
        QCOMPARE(m_store->quotas({u"payments"_s})->first().version, 2);
    }

    // A worker that stood still within its turn may yet commit what it decided.
    void a_turn_under_way_keeps_its_places()
    {
        if (m_fixture->kind() != StoreFixture::Kind::postgres)
            QSKIP("one transaction at a time");
        registerWorker(u"frozen"_s, -1);
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding(u"\"frozen\":2"_s)}}).value(),
                 true);
        const auto frozen = m_fixture->connect();
        OK(frozen->begin());
        OK(frozen->lockGates(u"frozen"_s));
        OK(m_store->reclaimQuotas({u"payments"_s}));
        QCOMPARE(placesAt(u"payments"_s), u"{\"frozen\":2}"_s);
        frozen->rollback();
        OK(m_store->reclaimQuotas({u"payments"_s}));
        QCOMPARE(placesAt(u"payments"_s), u"{}"_s);
    }

    // While a turn's transaction is open, others are not kept from the quotas it has changed.
    void quotas_are_not_held_by_a_turn()
    {
        if (m_fixture->kind() != StoreFixture::Kind::postgres)
            QSKIP("one transaction at a time");
        OK(m_store->begin());
        OK(m_store->lockGates({}));
        QCOMPARE(m_store->swapQuotas({{u"payments"_s, 0, holding({})}}).value(), true);
        const auto other = m_fixture->connect();
        QCOMPARE(other->swapQuotas({{u"payments"_s, 1, holding(u"\"b\":1"_s)}}).value(), true);
        m_store->rollback();
        QCOMPARE(placesAt(u"payments"_s), u"{\"b\":1}"_s);
    }

    void what_is_due_is_shared_between_workflows()
    {
        for (int i = 0; i < 30; ++i)
            start(QString::number(i), u"long"_s);
        for (int i = 0; i < 6; ++i)
            start(QString::number(i), u"short"_s);
        start(u"only"_s, u"single"_s);
        const auto claimed = [this](int limit) {
            QMap<QString, int> counts;
            if (!m_store->begin().ok())
                qFatal("begin");
            for (const ClaimedRun &run : claim(*m_store, u"w"_s, limit))
                ++counts[run.run.workflow];
            m_store->rollback();
            return counts;
        };
        QCOMPARE(claimed(12),
                 (QMap<QString, int>{{u"long"_s, 4}, {u"short"_s, 4}, {u"single"_s, 1}}));
        QCOMPARE(claimed(1000).value(u"long"_s), 30);
        int few = 0;
        for (const int count : claimed(2))
            few += count;
        QCOMPARE(few, 2);
    }

    void the_next_instant_is_the_earliest_of_all_workflows()
    {
        QCOMPARE(m_store->nextDue().value(), model::never);
        const NewRun first = start(u"a"_s, u"zeta"_s);
        start(u"a"_s, u"alpha"_s);
        QCOMPARE(m_store->nextDue().value(), first.run.due);
    }
};

QTEST_GUILESS_MAIN(ConformanceQuotas)
#include "tst_conformance_quotas.moc"
