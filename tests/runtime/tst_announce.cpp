// Goal: an alert names the operation that needs somebody, and says of each effect what is known and
// no more. Method: stories told to the engine, whose entries are announced as a turn does it.
#include "engine/engine_fixture.h"
#include "runtime/announce.h"

using namespace holdfast;
using namespace holdfast::tests;
using namespace Qt::StringLiterals;

namespace
{
Policy orderCase(Protection refund = Protection::native)
{
    Policy policy =
        workflow({undoable(writes("reserve")), undoable(writes("charge"), refund), writes("ship")});
    policy.owner = u"orders@example.com"_s;
    policy.steps[1].undo->owner = u"payments@example.com"_s;
    return policy;
}

QVector<ports::OutboxRow> toldBy(const Story &story)
{
    ports::TurnWrites writes;
    runtime::announce({story.run, story.entries, story.policy, u"w"_s}, writes);
    return writes.outbox;
}

QJsonObject ofKind(const QVector<ports::OutboxRow> &rows, const QString &kind)
{
    for (const ports::OutboxRow &row : rows) {
        if (row.kind == kind)
            return row.payload;
    }
    return {};
}
} // namespace

class Announce : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Shipping fails, and then the refund does: what needs somebody now is the refund.
    void a_failed_compensation_is_told_as_what_it_is()
    {
        Story story(orderCase());
        story.start();
        story.end(done());
        story.end(done());
        story.end(answered(422));
        story.end(answered(403));
        QCOMPARE(story.status(), u"compensation_failed"_s);
        const auto rows = toldBy(story);
        QCOMPARE(rows.size(), 2);
        for (const QString &kind :
             {u"review.compensation_failed"_s, u"run.compensation_failed"_s}) {
            const QJsonObject payload = ofKind(rows, kind);
            QCOMPARE(payload["step"_L1].toString(), u"charge"_s);
            QCOMPARE(payload["direction"_L1].toString(), u"compensate"_s);
            QCOMPARE(payload["key"_L1].toString(), u"undo:key:charge"_s);
            QCOMPARE(payload["class"_L1].toString(), u"permanent"_s);
            QCOMPARE(payload["attempts"_L1].toInt(), 1);
            QCOMPARE(payload["effect"_L1].toString(), u"yes"_s);
            QCOMPARE(payload["effects_standing"_L1].toArray(),
                     (QJsonArray{u"reserve"_s, u"charge"_s}));
            QCOMPARE(payload["next"_L1]["who"_L1].toArray(), QJsonArray{u"payments@example.com"_s});
            QVERIFY(payload["summary"_L1].toString().contains(u"failed at charge"_s));
        }
    }

    // The charge happened. Unknown is whether it was refunded.
    void an_effect_whose_compensation_is_in_doubt_happened()
    {
        Story story(orderCase(Protection::none));
        story.start();
        story.end(done());
        story.end(done());
        story.end(answered(422));
        story.end(broken("timeout"));
        QCOMPARE(story.review("charge", Direction::compensate), u"ambiguous"_s);
        const QJsonObject payload = ofKind(toldBy(story), u"review.ambiguous"_s);
        QCOMPARE(payload["step"_L1].toString(), u"charge"_s);
        QCOMPARE(payload["direction"_L1].toString(), u"compensate"_s);
        QCOMPARE(payload["class"_L1].toString(), u"ambiguous"_s);
        QCOMPARE(payload["effect"_L1].toString(), u"yes"_s);
        QCOMPARE(payload["effects_unknown"_L1].toArray(), QJsonArray());
        QCOMPARE(payload["effects_standing"_L1].toArray(), (QJsonArray{u"reserve"_s, u"charge"_s}));
        QCOMPARE(payload["compensations_unknown"_L1].toArray(), QJsonArray{u"charge"_s});
        const QString summary = payload["summary"_L1].toString();
        QVERIFY2(
            summary.endsWith(u"charge happened, and nobody knows whether it was made up for"_s),
            qPrintable(summary));
    }

    void an_effect_in_doubt_is_unknown()
    {
        Story story(workflow({writes("reserve"), writes("ship", Protection::none)}));
        story.start();
        story.end(done());
        story.end(broken("timeout"));
        const QJsonObject payload = ofKind(toldBy(story), u"review.ambiguous"_s);
        QCOMPARE(payload["effect"_L1].toString(), u"unknown"_s);
        QCOMPARE(payload["effects_unknown"_L1].toArray(), QJsonArray{u"ship"_s});
        QCOMPARE(payload["effects_standing"_L1].toArray(), QJsonArray{u"reserve"_s});
        QVERIFY(payload["summary"_L1].toString().endsWith(u"nobody knows whether ship happened"_s));
    }

    // After a check that led nowhere the item waits as before: nothing new is to be told.
    void a_question_that_goes_back_to_its_item_is_not_told_again()
    {
        Story story(workflow({writes("ship", Protection::none)}));
        story.start();
        story.end(broken("timeout"));
        QCOMPARE(toldBy(story).size(), 1);
        for (Entry &entry : story.entries) {
            if (entry.kind == EntryKind::reviewOpened)
                entry.detail.insert(u"again"_s, true);
        }
        QCOMPARE(toldBy(story).size(), 0);
    }

    void what_failed_without_an_attempt_failed_for_good()
    {
        Story story(workflow({writes("ship")}));
        story.unpreparable.insert(u"key:ship"_s);
        story.start();
        const QJsonObject payload = ofKind(toldBy(story), u"run.failed"_s);
        QCOMPARE(payload["step"_L1].toString(), u"ship"_s);
        QCOMPARE(payload["attempts"_L1].toInt(), 0);
        QCOMPARE(payload["class"_L1].toString(), u"permanent"_s);
        QCOMPARE(payload["effect"_L1].toString(), u"no"_s);
    }

    // Nobody failed: a person is asked for consent.
    void an_approval_has_no_class()
    {
        StepPolicy ship = writes("ship");
        ship.forward.approval = ApprovalPolicy{{u"ada"_s}};
        Story story(workflow({ship}));
        story.start();
        const QJsonObject payload = ofKind(toldBy(story), u"review.approval"_s);
        QCOMPARE(payload["class"_L1].toString(), QString());
        QCOMPARE(payload["next"_L1]["who"_L1].toArray(), QJsonArray{u"ada"_s});
    }
};

QTEST_GUILESS_MAIN(Announce)
#include "tst_announce.moc"
