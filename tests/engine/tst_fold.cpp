// The journal is the truth: folding it from the first entry gives the run that the engine held,
// also after the text in the database was read back. (Every single decision of every story is
// checked in the fixture too.)
#include "engine/engine_fixture.h"
#include "engine/walk_world.h"

namespace holdfast::tests
{

class TestFold : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWholeJournalGivesTheRun_data();
    void theWholeJournalGivesTheRun();
    void everyPrefixOfTheJournalIsAValidRun();
    void everyEntrySurvivesItsText();
    void everyKindOfEntryHasAName();
    void theSameDecisionNamesTheSameReview();
    void bytesThatAreNotTextSurvive();
};

namespace
{
Story longStory()
{
    StepPolicy mail = writes("mail", Protection::probe, true);
    mail.hasSnapshot = true;
    mail.forward.approval = ApprovalPolicy{};
    Story story(
        workflow({undoable(writes("charge")), mail, writes("ship", Protection::none)}, hour));
    story.start();
    story.end(broken("timeout"));
    story.passUntilDue();
    story.end(done());
    story.end(done());
    story.approve("mail");
    story.end(unreadable());
    story.passUntilDue();
    story.end(found());
    story.takeOver();
    story.resolve("ship", Resolve::Verdict::absent);
    story.end(answered(401));
    story.passUntilDue();
    story.end(answered(422));
    story.end(answered(403));
    story.turn(Note{QStringLiteral("ada"), QStringLiteral("calling them")});
    story.resolve("charge", Resolve::Verdict::waive, Direction::compensate);
    return story;
}

Story randomStory(quint64 seed)
{
    Dice dice(seed);
    Story story(PolicyDice(dice).workflowOf());
    story.start();
    for (int i = 0; i < 40; ++i) {
        if (story.isOpen())
            story.end(dice.oneIn(2) ? done() : broken("timeout"));
        else if (nextDue(story.run) != never)
            story.passUntilDue();
        else
            story.cancel();
    }
    return story;
}
} // namespace

void TestFold::theWholeJournalGivesTheRun_data()
{
    QTest::addColumn<int>("seed");
    QTest::newRow("a long story") << 0;
    for (int seed = 1; seed <= 40; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

void TestFold::theWholeJournalGivesTheRun()
{
    QFETCH(int, seed);
    const Story story = seed == 0 ? longStory() : randomStory(quint64(seed));
    QVERIFY(!story.journal.isEmpty());
    QCOMPARE(picture(foldAll(story.journal)), picture(story.run));
    QCOMPARE(picture(foldAll(entriesFromJson(entriesToJson(story.journal)))), picture(story.run));
}

void TestFold::everyPrefixOfTheJournalIsAValidRun()
{
    const Story story = longStory();
    QCOMPARE(story.status(), QStringLiteral("compensated"));
    Run run;
    for (const Entry &entry : story.journal) {
        fold(run, entry);
        QCOMPARE(statusOf(run), run.status);
        QCOMPARE(run.runId, QStringLiteral("run-1"));
    }
}

void TestFold::everyEntrySurvivesItsText()
{
    const Story story = longStory();
    for (const Entry &entry : story.journal)
        QCOMPARE(Entry::fromJson(entry.toJson()).toJson(), entry.toJson());
}

void TestFold::everyKindOfEntryHasAName()
{
    QSet<QString> names;
    for (int i = 0; i <= int(EntryKind::finished); ++i) {
        const QString name = entryKindName(EntryKind(i));
        QVERIFY(!name.isEmpty());
        QCOMPARE(entryKindFromName(name), EntryKind(i));
        names.insert(name);
    }
    QCOMPARE(names.size(), int(EntryKind::finished) + 1);
}

void TestFold::theSameDecisionNamesTheSameReview()
{
    QSet<QString> ids;
    for (int i = 0; i < 2; ++i) {
        Story story(workflow({writes("mail", Protection::none)}));
        story.start();
        for (int n = 0; n < 3; ++n) {
            story.end(broken("timeout"));
            ids.insert(story.forward("mail").reviewId);
            story.resolve("mail", Resolve::Verdict::absent);
        }
    }
    QCOMPARE(ids.size(), 3);
}

void TestFold::bytesThatAreNotTextSurvive()
{
    Story story(workflow({writes("pay")}));
    story.body = QByteArray("\xff\x00\xfe{", 4);
    story.start();
    QCOMPARE(story.forward("pay").request.body, story.body);
    QCOMPARE(
        foldAll(entriesFromJson(entriesToJson(story.journal))).steps.first().forward.request.body,
        story.body);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TestFold)
#include "tst_fold.moc"
