// Goal: what is told in numbers stays exact and in order: a sum over months still grows by
// milliseconds, and no span ends before it began.
#include "insight/metrics.h"
#include "insight/tracer.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace holdfast;

namespace
{
model::Run oneRun()
{
    model::Run run;
    run.runId = u"01900000-0000-7000-8000-000000000001"_s;
    run.workflow = u"billing"_s;
    run.version = 1;
    run.createdAt = 1'800'000'000'000;
    run.status = model::RunStatus::succeeded;
    return run;
}
} // namespace

class ToldFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void a_sum_has_all_its_digits()
    {
        model::Run run = oneRun();
        model::Step step;
        step.step = u"pay"_s;
        step.forward.firstIntentAt = run.createdAt;
        run.steps.append(step);
        model::Entry entry;
        entry.kind = model::EntryKind::confirmed;
        entry.step = u"pay"_s;
        entry.attempt = 1;
        insight::Metrics metrics(u"w"_s, u"1"_s);
        const model::Policy policy;
        for (const model::Millis took : {model::Millis(12'345'678'000), model::Millis(1)}) {
            entry.at = run.createdAt + took;
            const model::Entries entries{entry};
            metrics.add({run, entries, policy});
        }
        const QByteArray text = metrics.text({});
        QVERIFY2(text.contains("holdfast_step_duration_seconds_sum{workflow=\"billing\",step=\"pay"
                               "\",action=\"forward\"} 12345678.001\n"),
                 text);
    }

    // The clock of the database was set back while it ran.
    void no_span_ends_before_it_began()
    {
        model::Run run = oneRun();
        run.finishedAt = run.createdAt - 1000;
        model::Entry entry;
        entry.kind = model::EntryKind::finished;
        entry.at = run.finishedAt;
        entry.runStatus = run.status;
        insight::Tracer tracer([](const QString &, int) { return QString(); });
        const model::Policy policy;
        const model::Entries entries{entry};
        const auto spans = tracer.spans({run, entries, policy});
        QCOMPARE(spans.size(), 1);
        const QJsonObject root = QJsonDocument::fromJson(spans.first()).object();
        QCOMPARE(root["endTimeUnixNano"_L1].toString(), root["startTimeUnixNano"_L1].toString());
    }
};

QTEST_GUILESS_MAIN(ToldFigures)
#include "tst_told_figures.moc"
