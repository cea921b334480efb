// The report on a window. Goal: its figures are those of the runs that the lists show, what is not
// known is said, and a signature shows later whether anything was changed. On every store.
#include "control/console_bench.h"

#include "model/json.h"
#include "runtime/rebuild.h"

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::tests;

namespace
{
// Gives a lead to an owner; both are its outputs.
QString routingWorkflow(int version = 1)
{
    return uR"(holdfast: 1
workflow: leads
version: %1
owner: sales@example.com
deadline: 5m
event_id: ${ input.id }
input:
  type: object
  required: [id, lead, owner]
outputs:
  lead: ${ input.lead }
  owner: ${ input.owner }
steps:
  - step: ok
    check: ${ input.lead !== '' }
)"_s.arg(version);
}
} // namespace

class Report : public QObject, private ConsoleSuite
{
    Q_OBJECT

private:
    // From yesterday on, until after the ids of runs: lists look for runs by these, and they never
    // go back within a process, where the stores of other rows had clocks of their own.
    QJsonObject window()
    {
        const model::Instant now = *m_bench->store->now();
        const model::Instant latest = std::max(now, m_bench->fixture.clock.now());
        return {{u"since"_s, model::instantText(now - now % model::day - model::day)},
                {u"until"_s, model::instantText(latest - latest % model::day + 2 * model::day)}};
    }
    QJsonObject window(int daysAgo)
    {
        const model::Instant now = *m_bench->store->now();
        const model::Instant midnight = now - now % model::day - daysAgo * model::day;
        return {{u"since"_s, model::instantText(midnight - 7 * model::day)},
                {u"until"_s, model::instantText(midnight)}};
    }
    QJsonObject report(const QJsonObject &arguments)
    {
        return m_bench->ok("report", arguments).toObject();
    }
    static QJsonValue named(const QJsonValue &list, const QString &name)
    {
        for (const QJsonValue &item : list.toArray()) {
            if (item["name"_L1].toString() == name)
                return item;
        }
        qFatal("there is no %s", qPrintable(name));
    }
    static qint64 figure(const QJsonObject &report, const QString &name)
    {
        return named(report["figures"_L1], name)["now"_L1].toInteger(-1);
    }
    qint64 runsOf(const QString &filter)
    {
        return m_bench->ok("count", {{u"filter"_s, filter}})["count"_L1].toInteger(-1);
    }
    void resolve(const QString &verdict)
    {
        m_bench->ok("resolve", {{u"review"_s, m_bench->reviews().first()["id"_L1]},
                                {u"verdict"_s, verdict},
                                {u"reason"_s, u"seen"_s}});
        m_bench->run(DoorBench::succeeds);
    }

    void audit(const QString &action, const QString &subject, const QJsonObject &body)
    {
        ports::AuditRow row;
        row.chain = u"system"_s;
        row.at = *m_bench->store->now();
        row.actor = u"ada"_s;
        row.action = action;
        row.subject = subject;
        row.body = QString::fromUtf8(model::canonicalJson(body));
        QVERIFY(m_bench->store->appendAudit(row).ok());
    }
    void sign(const QJsonObject &week, const QJsonObject &figures, const QString &hash = {})
    {
        ports::SignoffRow row;
        row.since = *model::parseInstant(week["since"_L1].toString());
        row.until = *model::parseInstant(week["until"_L1].toString());
        row.by = u"ada"_s;
        row.at = *m_bench->store->now();
        row.figures = QString::fromUtf8(model::canonicalJson(figures));
        row.figuresHash = hash.isEmpty() ? model::sha256Hex(row.figures.toUtf8()) : hash;
        row.auditSeq = row.auditRows = 1;
        row.auditHash = u"end"_s;
        const auto added = m_bench->store->addSignoff(row);
        QVERIFY(added && *added);
    }

private Q_SLOTS:
    void initTestCase_data() { addKinds(); }
    void init() { freshBench(); }
    void cleanup() { m_bench.reset(); }

    void figures_add_up_to_the_list_of_runs()
    {
        for (int i = 0; i < 5; ++i)
            runTo(u"good-%1"_s.arg(i), DoorBench::succeeds);
        runTo(u"declined"_s, failingAt(u"pay"_s, DoorBench::isRefused));
        runTo(u"undone"_s, failingAt(u"tell"_s, DoorBench::isRefused));
        ambiguousAt(u"tell"_s, u"open"_s);
        const QJsonObject told = report(window());
        const QString span =
            u" since:%1 until:%2"_s.arg(told["since"_L1].toString(), told["until"_L1].toString());
        QCOMPARE(figure(told, u"runs_started"_s), runsOf(span.trimmed()));
        QCOMPARE(figure(told, u"runs_started"_s), 8);
        for (const char *status : {"succeeded", "succeeded_partial", "failed", "compensated",
                                   "compensation_failed", "cancelled"}) {
            const QString name = QString::fromLatin1(status);
            QCOMPARE(figure(told, u"runs_"_s + name), runsOf(u"status:"_s + name + span));
        }
        QCOMPARE(figure(told, u"runs_succeeded"_s), 5);
        QCOMPARE(figure(told, u"runs_compensated"_s), 1);
        qint64 started = 0, ended = 0;
        for (const QJsonValue &day : told["days"_L1].toArray()) {
            started += day["runs_started"_L1].toInteger();
            ended += day["succeeded"_L1].toInteger();
        }
        QCOMPARE(started, 8);
        QCOMPARE(ended, 5);
        QVERIFY(told["days"_L1].toArray().size() >= 3);
        QCOMPARE(told["days_before"_L1].toArray().size(), told["days"_L1].toArray().size());
        QCOMPARE(told["compensations"_L1].toArray().size(), 1);
        QCOMPARE(told["compensations_more"_L1].toInteger(-1), 0);
        qint64 attempts = 0;
        for (const QJsonValue &each : told["cost"_L1]["by_dependency"_L1].toArray())
            attempts += each["attempts"_L1].toInteger();
        QCOMPARE(attempts, figure(told, u"attempts"_s));
        QVERIFY(told["cost"_L1]["model"_L1].isNull());
    }

    void the_counters_are_those_of_the_journal()
    {
        runTo(u"a"_s, DoorBench::succeeds);
        ambiguousAt(u"tell"_s, u"b"_s);
        resolve(u"happened"_s);
        runTo(u"c"_s, failingAt(u"pay"_s, DoorBench::isRefused));
        m_bench->ok("retry", {{u"run"_s, m_bench->reviews().first()["run_id"_L1]},
                              {u"reason"_s, u"again"_s}});
        m_bench->run(DoorBench::succeeds);
        const QJsonObject told = report(window());
        QCOMPARE(figure(told, u"runs_reopened"_s), 1);
        const QJsonValue precision = named(told["measures"_L1], u"escalation_precision"_s);
        QCOMPARE(precision["denominator"_L1].toInt(), 2);
        QCOMPARE(precision["now"_L1].toDouble(), 100.0);
        QVERIFY(precision["before"_L1].isNull());
        QCOMPARE(named(told["measures"_L1], u"duplicate_effect_rate"_s)["denominator"_L1].toInt(),
                 6);
        runtime::Catalog catalog;
        const auto rebuilt = runtime::rebuild(*m_bench->store, catalog, false);
        QVERIFY(rebuilt.ok());
        QVERIFY2(rebuilt->differenceCount == 0, qPrintable(rebuilt->differences.join(u'\n')));
    }

    void an_item_the_engine_could_close_counts_against_the_precision()
    {
        ambiguousAt(u"tell"_s, u"a"_s);
        resolve(u"absent"_s);
        runTo(u"b"_s, failingAt(u"pay"_s, DoorBench::isRefused));
        resolve(u"dismiss"_s);
        const QJsonValue precision =
            named(report(window())["measures"_L1], u"escalation_precision"_s);
        QCOMPARE(precision["numerator"_L1].toInt(), 1);
        QCOMPARE(precision["denominator"_L1].toInt(), 2);
    }

    void what_changed_is_told_in_order()
    {
        m_bench->ok("pause", {{u"workflow"_s, u"one"_s}, {u"reason"_s, u"an incident"_s}});
        m_bench->ok("resume", {{u"workflow"_s, u"one"_s}, {u"reason"_s, u"over"_s}});
        const QJsonArray changes = report(window())["changes"_L1].toArray();
        QStringList kinds, texts;
        for (const QJsonValue &change : changes) {
            kinds.append(change["kind"_L1].toString());
            texts.append(change["text"_L1].toString());
            QVERIFY(change["at"_L1].isString());
        }
        QCOMPARE(kinds,
                 (QStringList{u"deploy"_s, u"deploy"_s, u"deploy"_s, u"pause"_s, u"resume"_s}));
        QVERIFY(texts.contains(u"deployed workflow one version 1"_s));
        QVERIFY(texts.contains(u"deployed dependency mail revision 1"_s));
        QVERIFY(texts.at(3).contains("workflow one"_L1) && texts.at(3).contains("an incident"_L1));
        // What it is about, not the id it has.
        QCOMPARE(changes.at(3)["subject"_L1].toString(), u"workflow one"_s);
        QCOMPARE(changes.at(4)["subject"_L1].toString(), u"workflow one"_s);
        QVERIFY(report(window(10))["changes"_L1].toArray().isEmpty());
    }

    void what_changes_nothing_is_left_out_and_acts_are_named()
    {
        const qsizetype known = report(window())["changes"_L1].toArray().size();
        runTo(u"declined"_s, failingAt(u"pay"_s, DoorBench::isRefused));
        const QJsonValue group = m_bench->ok("groups", window())["groups"_L1][0];
        m_bench->ok("group_do", {{u"group"_s, group["id"_L1]}, {u"act"_s, u"archive"_s}});
        m_bench->ok("report_sign", window(1));
        QCOMPARE(report(window())["changes"_L1].toArray().size(), known);
        audit(u"tripwire_do"_s, u"too-many"_s, {{u"act"_s, u"disable"_s}});
        QCOMPARE(report(window())["changes"_L1].toArray().last()["text"_L1].toString(),
                 u"tripwire disable too-many"_s);
    }

    void of_many_changes_the_newest_are_told()
    {
        for (int i = 0; i < 250; ++i)
            audit(u"breaker"_s, u"mail-%1"_s.arg(i), {});
        const QJsonArray changes = report(window())["changes"_L1].toArray();
        QCOMPARE(changes.size(), 201);
        QCOMPARE(changes.first()["kind"_L1].toString(), u"more"_s);
        QCOMPARE(changes.at(1)["subject"_L1].toString(), u"mail-50"_s);
        QCOMPARE(changes.last()["subject"_L1].toString(), u"mail-249"_s);
    }

    void gaps_are_of_the_contracts_in_force()
    {
        const QJsonArray gaps = report(window())["gaps"_L1].toArray();
        QCOMPARE(gaps.size(), 1);
        QCOMPARE(gaps.first()["step"_L1].toString(), u"tell"_s);
        QCOMPARE(gaps.first()["gap"_L1].toString(), u"no protection"_s);
    }

    void a_version_that_cannot_be_read_is_a_gap_and_no_failure()
    {
        const auto unreadable = [this](const QString &name, int version) {
            ports::WorkflowRow row;
            row.name = name;
            row.version = version;
            row.owner = u"x"_s;
            row.source = u"of another time"_s;
            row.hash = model::sha256Hex(row.source.toUtf8());
            row.deployedAt = *m_bench->store->now();
            row.deployedBy = u"ada"_s;
            QVERIFY(m_bench->store->deployWorkflow(row).ok());
        };
        unreadable(u"leads"_s, 1);
        m_bench->deploy(routingWorkflow(2));
        // An older version is of no interest.
        QJsonObject told = report(window());
        QCOMPARE(told["gaps"_L1].toArray().size(), 1);
        QVERIFY(told["owner_flips"_L1].isObject());
        unreadable(u"leads"_s, 3);
        told = report(window());
        const QJsonArray gaps = told["gaps"_L1].toArray();
        QCOMPARE(gaps.size(), 2);
        for (const QJsonValue &gap : gaps) {
            if (gap["workflow"_L1].toString() == "leads"_L1) {
                QCOMPARE(gap["gap"_L1].toString(), u"cannot be read"_s);
                QVERIFY(gap["why"_L1].toString().contains("version 3"_L1));
            }
        }
        QVERIFY(told["owner_flips"_L1].isNull());
    }

    void what_waits_is_listed_with_its_question()
    {
        ambiguousAt(u"tell"_s);
        const QJsonArray items = report(window())["unresolved"_L1].toArray();
        QCOMPARE(items.size(), 1);
        QCOMPARE(items.first()["kind"_L1].toString(), u"ambiguous"_s);
        QVERIFY(items.first()["question"_L1].toString().endsWith(u'?'));
        const QJsonObject earlier = report(window(10));
        QVERIFY(earlier["unresolved"_L1].toArray().isEmpty());
        QCOMPARE(earlier["unresolved_more"_L1].toInteger(-1), 0);
    }

    void the_newest_items_are_listed_first()
    {
        for (int i = 0; i < 3; ++i) {
            m_bench->fixture.clock.advance(1000);
            ambiguousAt(u"tell"_s, u"lost-%1"_s.arg(i));
        }
        const QJsonArray open = m_bench->reviews();
        const QJsonObject told = report(window());
        QCOMPARE(told["unresolved"_L1].toArray().size(), 3);
        QCOMPARE(told["unresolved"_L1][0]["id"_L1], open.last()["id"_L1]);
        QCOMPARE(told["unresolved_more"_L1].toInteger(-1), 0);
    }

    void a_question_keeps_secrets_of_an_address_to_itself()
    {
        m_bench->deploy(oneStepWorkflow(2, u"\"/t?access_token=hunter3&x=1\""_s));
        runTo(u"lost"_s, DoorBench::timesOut);
        const QString question = report(window())["unresolved"_L1][0]["question"_L1].toString();
        QVERIFY2(question.contains("/t?access_token=***&x=1"_L1), qPrintable(question));
        const QByteArray checks = QJsonDocument(review()["check"_L1].toArray()).toJson();
        QVERIFY2(checks.contains("access_token=***"), checks.constData());
    }

    void a_time_without_a_worker_is_said()
    {
        const QJsonObject past = report(window(10));
        const QJsonArray incomplete = past["incomplete"_L1].toArray();
        QCOMPARE(incomplete.size(), 1);
        QCOMPARE(incomplete.first()["since"_L1], past["since"_L1]);
        QCOMPARE(incomplete.first()["until"_L1], past["until"_L1]);
        QVERIFY(incomplete.first()["why"_L1].toString().contains("worker"_L1));
        const QJsonArray now = report(window())["incomplete"_L1].toArray();
        QVERIFY(now.last()["why"_L1].toString().contains("not come yet"_L1));
    }

    void groups_are_those_of_the_list_and_their_tags_are_causes()
    {
        for (int i = 0; i < 3; ++i)
            runTo(u"declined-%1"_s.arg(i), failingAt(u"pay"_s, DoorBench::isRefused));
        ambiguousAt(u"tell"_s, u"lost"_s);
        QJsonObject told = report(window());
        const QJsonValue listed = m_bench->ok("groups", window());
        QCOMPARE(told["groups"_L1].toArray(), listed["groups"_L1].toArray());
        QCOMPARE(told["groups"_L1].toArray().size(), 2);
        // What nobody has named is known by its reason code.
        QCOMPARE(told["causes"_L1].toArray().size(), 2);
        QCOMPARE(told["causes"_L1][0]["cause"_L1].toString(),
                 u"(no tag) "_s + told["groups"_L1][0]["reason"_L1].toString());
        QVERIFY(!told["groups"_L1][0]["reason"_L1].toString().isEmpty());
        QCOMPARE(told["groups_more"_L1].toInteger(-1), 0);
        m_bench->ok("group_do", {{u"group"_s, told["groups"_L1][0]["id"_L1]},
                                 {u"act"_s, u"tag"_s},
                                 {u"tags"_s, QJsonArray{u"bank"_s}}});
        told = report(window());
        const QJsonArray causes = told["causes"_L1].toArray();
        QCOMPARE(causes.size(), 2);
        QCOMPARE(causes.at(0)["cause"_L1].toString(), u"bank"_s);
        QCOMPARE(causes.at(0)["runs"_L1].toInt(), 3);
        QCOMPARE(causes.at(0)["share"_L1].toDouble(), 75.0);
        QCOMPARE(causes.at(1)["cumulative"_L1].toDouble(), 100.0);
    }

    void owner_flips_are_counted_by_lead()
    {
        QVERIFY(report(window())["owner_flips"_L1].isNull());
        m_bench->deploy(routingWorkflow());
        const char *given[][3] = {{"1", "l1", "ann"},
                                  {"2", "l1", "bob"},
                                  {"3", "l2", "ann"},
                                  {"4", "l2", "ann"},
                                  {"5", "l1", "ann"}};
        for (const auto &[id, lead, owner] : given) {
            m_bench->ok("start", {{u"workflow"_s, u"leads"_s},
                                  {u"input"_s, QJsonObject{{u"id"_s, QLatin1String(id)},
                                                           {u"lead"_s, QLatin1String(lead)},
                                                           {u"owner"_s, QLatin1String(owner)}}}});
            m_bench->run(DoorBench::succeeds);
            m_bench->fixture.clock.advance(1000);
        }
        const QJsonValue flips = report(window())["owner_flips"_L1];
        QCOMPARE(flips["flips"_L1].toInt(), 2);
        QCOMPARE(flips["runs_read"_L1].toInt(), 5);
        QVERIFY(flips["complete"_L1].toBool());
        QCOMPARE(flips["list"_L1][0]["from"_L1].toString(), u"ann"_s);
        QCOMPARE(flips["list"_L1][0]["to"_L1].toString(), u"bob"_s);
    }

    void a_window_is_signed_once()
    {
        const QJsonObject week = window(1);
        QJsonObject order = week;
        order.insert(u"note"_s, u"quiet"_s);
        QVERIFY(report(week)["signoff"_L1].isNull());
        const QJsonValue seen = report(week)["figures_hash"_L1];
        order.insert(u"figures_hash"_s, QString(64, u'0'));
        QVERIFY(refusal("report_sign", order).contains("not those that you saw"_L1));
        QVERIFY(report(week)["signoff"_L1].isNull());
        order.insert(u"figures_hash"_s, seen);
        QCOMPARE(refusal("report_sign", order), QString());
        QVERIFY(refusal("report_sign", order, u"bob"_s).contains("ada signed"_L1));
        const QJsonValue signoff = report(week)["signoff"_L1];
        QCOMPARE(signoff["by"_L1].toString(), u"ada"_s);
        QCOMPARE(signoff["note"_L1].toString(), u"quiet"_s);
        QCOMPARE(signoff["figures_hash"_L1].toString().size(), 64);
        QCOMPARE(signoff["figures_hash"_L1], seen);
        QVERIFY(signoff["figures_unchanged"_L1].toBool());
        QVERIFY(signoff["audit_seq"_L1].toInteger() > 0);
        const QJsonArray list = m_bench->ok("reports", {})["reports"_L1].toArray();
        QCOMPARE(list.size(), 1);
        QCOMPARE(list.first()["since"_L1], week["since"_L1]);
        const QJsonArray audit =
            m_bench->ok("audit", {{u"action"_s, u"report_sign"_s}, {u"limit"_s, 10}})["audit"_L1]
                .toArray();
        QCOMPARE(audit.size(), 1);
        QCOMPARE(audit.first()["body"_L1]["figures_hash"_L1], signoff["figures_hash"_L1]);
        const QJsonValue verified = m_bench->ok("audit_verify", {});
        QVERIFY(verified["intact"_L1].toBool());
        QCOMPARE(verified["signoffs"_L1].toInt(), 1);
    }

    void a_request_sent_twice_signs_once()
    {
        const QString id = model::newId(m_bench->fixture.clock.now());
        const auto first = m_bench->call("report_sign", window(1), id);
        const auto second = m_bench->call("report_sign", window(1), id);
        QVERIFY(first.ok() && second.ok());
        QCOMPARE((*first)["figures_hash"_L1], (*second)["figures_hash"_L1]);
    }

    void a_signature_shows_that_figures_were_changed()
    {
        const QJsonObject week = window(1);
        m_bench->ok("report_sign", week);
        ports::RollupRow forged;
        forged.minute = *model::parseInstant(week["since"_L1].toString()) + model::hour;
        forged.workflow = u"one"_s;
        forged.worker = u"bench"_s;
        forged.counts = {{u"runs_started"_s, 3}};
        QVERIFY(m_bench->store->replaceRollups({forged}).ok());
        const QJsonValue signoff = report(week)["signoff"_L1];
        QVERIFY(!signoff["figures_unchanged"_L1].toBool(true));
        QCOMPARE(signoff["changed"_L1].toArray(), (QJsonArray{u"runs_started"_s, u"days"_s}));
    }

    // As an earlier version signed it: titles are no figures, and what is counted since is new.
    void a_signature_is_of_numbers_not_of_words()
    {
        const QJsonObject week = window(1);
        const QJsonObject told = report(week);
        QCOMPARE(told["figures"_L1][0]["name"_L1].toString(), u"success_rate"_s);
        QJsonArray figures;
        for (int i = 0; i < 5; ++i) {
            QJsonObject figure = told["figures"_L1][i].toObject();
            figure.insert(u"title"_s, u"another title"_s);
            figures.append(figure);
        }
        sign(week, {{u"since"_s, told["since"_L1]},
                    {u"until"_s, told["until"_L1]},
                    {u"figures"_s, figures},
                    {u"days"_s, told["days"_L1]},
                    {u"days_before"_s, told["days_before"_L1]}});
        const QJsonValue signoff = report(week)["signoff"_L1];
        QVERIFY(signoff["record_intact"_L1].toBool());
        QCOMPARE(signoff["changed"_L1].toArray(), QJsonArray());
        QVERIFY(signoff["figures_unchanged"_L1].toBool());
    }

    void a_stored_copy_that_was_changed_is_told_apart()
    {
        if (!m_bench->fixture.hasOwnClock())
            QSKIP("a shared database takes no copy with another hash");
        const QJsonObject week = window(1);
        sign(week, {{u"figures"_s, QJsonArray()}}, u"0"_s);
        const QJsonValue signoff = report(week)["signoff"_L1];
        QVERIFY(!signoff["record_intact"_L1].toBool(true));
        QVERIFY(!signoff["figures_unchanged"_L1].toBool(true));
    }

    void only_what_is_over_is_signed()
    {
        QVERIFY(refusal("report_sign", window()).contains("still change"_L1));
        QVERIFY(!refusal("report_sign", {}).isEmpty());
        QJsonObject order = window(1);
        order.insert(u"note"_s, QString(3000, u'x'));
        QVERIFY(refusal("report_sign", order).contains("longer"_L1));
        QVERIFY(m_bench->ok("reports", {})["reports"_L1].toArray().isEmpty());
    }

    void a_window_that_makes_no_sense_is_refused()
    {
        const auto with = [](const char *since, const char *until) {
            return QJsonObject{{u"since"_s, QLatin1String(since)},
                               {u"until"_s, QLatin1String(until)}};
        };
        QVERIFY(refusal("report", with("2026-11-16", "2026-11-09")).contains("before"_L1));
        QVERIFY(refusal("report", with("soon", "2026-11-09")).contains("since"_L1));
        QVERIFY(refusal("report", with("2020-01-01", "2026-11-09")).contains("400"_L1));
        // As long a list of groups as a report may have.
        QCOMPARE(refusal("report", with("2025-10-05", "2026-11-09")), QString());
        QVERIFY(
            refusal("report", with("2026-11-09T00:00:30Z", "2026-11-10")).contains("minutes"_L1));
        QVERIFY(!refusal("report", with("1970-01-02", "1970-01-09")).isEmpty());
        const QJsonObject week = report({});
        const auto since = *model::parseInstant(week["since"_L1].toString());
        const auto until = *model::parseInstant(week["until"_L1].toString());
        QCOMPARE(until - since, 7 * model::day);
        QCOMPARE(QDateTime::fromMSecsSinceEpoch(since, Qt::UTC).date().dayOfWeek(), 1);
        QVERIFY(until <= *m_bench->store->now());
        QVERIFY(until > *m_bench->store->now() - 7 * model::day);
    }
};

QTEST_GUILESS_MAIN(Report)
#include "tst_report.moc"
