#include "insight/metrics.h"

#include "insight/disposition.h"

#include <algorithm>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::EntryKind;
using model::Result;

namespace
{
QByteArray escaped(const QString &value)
{
    QByteArray text = value.toUtf8();
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    return text;
}

QByteArray labels(std::initializer_list<std::pair<const char *, QString>> pairs)
{
    QByteArray text;
    for (const auto &[name, value] : pairs) {
        text += text.isEmpty() ? "" : ",";
        text += QByteArray(name) + "=\"" + escaped(value) + '"';
    }
    return text;
}

// To the millisecond, however large: six digits would stand still after a day.
QByteArray inSeconds(model::Millis time) { return QByteArray::number(double(time) / 1000, 'f', 3); }

void head(QByteArray &out, const QByteArray &name, const QByteArray &type, const QByteArray &help)
{
    out += "# HELP " + name + ' ' + help + "\n# TYPE " + name + ' ' + type + '\n';
}

void sample(QByteArray &out, const QByteArray &name, const QByteArray &labelText,
            const QByteArray &value)
{
    out += name;
    if (!labelText.isEmpty())
        out += '{' + labelText + '}';
    out += ' ' + value + '\n';
}

void counter(QByteArray &out, const QByteArray &name, const QByteArray &help,
             const std::map<QByteArray, qint64> &values)
{
    head(out, name, "counter", help);
    for (const auto &[labelText, value] : values)
        sample(out, name, labelText, QByteArray::number(value));
}

void gauge(QByteArray &out, const QByteArray &name, const QByteArray &help,
           const std::map<QByteArray, QByteArray> &values)
{
    head(out, name, "gauge", help);
    for (const auto &[labelText, value] : values)
        sample(out, name, labelText, value);
}

void appendGauges(QByteArray &out, const Gauges &gauges)
{
    std::map<QByteArray, QByteArray> runs, reviews, oldest, breakers, pauses;
    const ports::StorePulse &pulse = gauges.pulse;
    for (const model::RunStatus status : model::allRunStatuses) {
        const QString name = model::runStatusName(status);
        if (!model::isFinal(status))
            runs[labels({{"status", name}})] =
                QByteArray::number(pulse.openRunsByStatus.value(name));
    }
    for (auto kind = pulse.openReviewsByKind.cbegin(); kind != pulse.openReviewsByKind.cend();
         ++kind)
        reviews[labels({{"kind", kind.key()}})] = QByteArray::number(kind.value());
    for (auto kind = pulse.oldestReviewByKind.cbegin(); kind != pulse.oldestReviewByKind.cend();
         ++kind)
        oldest[labels({{"kind", kind.key()}})] =
            inSeconds(std::max<model::Millis>(0, gauges.now - kind.value()));
    for (const ports::BreakerRow &breaker : gauges.breakers) {
        for (const QString &state : {u"closed"_s, u"open"_s, u"half_open"_s})
            breakers[labels({{"dependency", breaker.dependency}, {"state", state}})] =
                breaker.state == state ? "1" : "0";
    }
    for (const ports::PauseRow &pause : gauges.pauses)
        pauses[labels({{"scope", pause.scope}, {"target", pause.target}, {"depth", pause.depth}})] =
            "1";
    gauge(out, "holdfast_runs_open", "Runs that have not ended, by status.", runs);
    gauge(out, "holdfast_held_runs", "Runs that a pause holds.",
          {{{}, QByteArray::number(pulse.openRunsByStatus.value(u"held"_s))}});
    gauge(out, "holdfast_attempts_in_flight", "Attempts whose outcome is open.",
          {{{}, QByteArray::number(pulse.inFlight)}});
    gauge(out, "holdfast_workers_alive", "Workers whose lease has not run out.",
          {{{}, QByteArray::number(pulse.workersAlive)}});
    gauge(out, "holdfast_review_open", "Items that wait for a person, by kind.", reviews);
    gauge(out, "holdfast_review_oldest_seconds", "How long the oldest item of a kind has waited.",
          oldest);
    gauge(out, "holdfast_breaker_state", "1 for the state a dependency's breaker is in.", breakers);
    gauge(out, "holdfast_pause_active", "1 for each pause in force.", pauses);
}

QByteArray attemptLabels(const ports::Committed &committed, const model::Entry &entry)
{
    const model::Run &run = committed.run;
    const model::Operation *operation = operationOf(run, entry);
    const model::Step *step = run.find(entry.step);
    const bool undo = step && operation == &step->undo;
    const auto *policy = model::operationPolicy(committed.policy, entry.step,
                                                undo ? Direction::compensate : Direction::forward);
    return labels({{"workflow", run.workflow},
                   {"step", entry.step},
                   {"dependency", policy ? policy->dependency : QString()},
                   {"operation", operation ? operation->operation : QString()},
                   {"action", model::directionName(entry.direction)}});
}

QByteArray compensationLabels(const model::Run &run, const model::Entry &entry,
                              const QString &outcome)
{
    return labels({{"workflow", run.workflow}, {"step", entry.step}, {"outcome", outcome}});
}
} // namespace

Result<Gauges> readGauges(ports::Store &store)
{
    const auto now = store.now();
    if (!now)
        return now.error();
    const auto pulse = store.pulse();
    if (!pulse)
        return pulse.error();
    const auto pauses = store.pauses(true);
    if (!pauses)
        return pauses.error();
    const auto breakers = store.breakers();
    if (!breakers)
        return breakers.error();
    return Gauges{*pulse, *pauses, *breakers, *now};
}

Metrics::Metrics(QString worker, QString programVersion)
    : m_worker(std::move(worker)), m_programVersion(std::move(programVersion))
{
    for (const QString &stream : {u"log"_s, u"summaries"_s, u"traces"_s})
        m_dropped[labels({{"stream", stream}})] = 0;
}

void Metrics::add(const ports::Committed &committed)
{
    const std::lock_guard lock(m_mutex);
    for (const model::Entry &entry : committed.entries)
        addEntry(committed, entry);
}

// Those who count tell it from several threads, and not always in order.
void Metrics::setDropped(const QString &stream, qint64 count)
{
    const std::lock_guard lock(m_mutex);
    qint64 &kept = m_dropped[labels({{"stream", stream}})];
    kept = std::max(kept, count);
}

void Metrics::setSpansSent(qint64 count)
{
    const std::lock_guard lock(m_mutex);
    m_spansSent = std::max(m_spansSent, count);
}

void Metrics::addEntry(const ports::Committed &committed, const model::Entry &entry)
{
    const model::Run &run = committed.run;
    switch (entry.kind) {
    case EntryKind::finished:
        if (entry.runStatus)
            ++m_runs[labels(
                {{"workflow", run.workflow}, {"outcome", model::runStatusName(*entry.runStatus)}})];
        return;
    case EntryKind::attemptEnded:
        ++m_attempts[attemptLabels(committed, entry) + ',' +
                     labels({{"error_class", model::failureClassName(entry.failureClass)}})];
        return;
    case EntryKind::snapshotKept:
        ++m_attempts[attemptLabels(committed, entry) + ",error_class=\"none\""];
        return;
    case EntryKind::intent:
        // As a run counts its own: questions that are asked again are no retries.
        if (entry.attempt > 1 &&
            (entry.direction == Direction::forward || entry.direction == Direction::compensate))
            ++m_retries[attemptLabels(committed, entry)];
        return;
    case EntryKind::stepFailed:
        if (entry.direction == Direction::compensate)
            ++m_compensations[compensationLabels(run, entry, u"failed"_s)];
        return;
    case EntryKind::replayed:
        ++m_duplicates[labels({{"workflow", run.workflow}, {"step", entry.step}})];
        if (entry.direction == Direction::compensate)
            ++m_compensations[compensationLabels(run, entry, u"succeeded"_s)];
        return;
    case EntryKind::confirmed: addConfirmed(committed, entry); return;
    case EntryKind::accepted:
    case EntryKind::stepStarted:
    case EntryKind::stepSkipped:
    case EntryKind::prepared:
    case EntryKind::gated:
    case EntryKind::retryScheduled:
    case EntryKind::verifyScheduled:
    case EntryKind::clearedAbsent:
    case EntryKind::reviewOpened:
    case EntryKind::reviewClosed:
    case EntryKind::approved:
    case EntryKind::waiting:
    case EntryKind::compensationBegan:
    case EntryKind::compensationWaived:
    case EntryKind::cancelAsked:
    case EntryKind::reopened:
    case EntryKind::lateReport:
    case EntryKind::noted: return;
    }
    Q_UNREACHABLE();
}

void Metrics::addConfirmed(const ports::Committed &committed, const model::Entry &entry)
{
    const model::Run &run = committed.run;
    if (entry.attempt > 0)
        ++m_attempts[attemptLabels(committed, entry) + ",error_class=\"none\""];
    if (entry.detail.contains("by"_L1))
        ++m_duplicates[labels({{"workflow", run.workflow}, {"step", entry.step}})];
    if (entry.direction == Direction::compensate)
        ++m_compensations[compensationLabels(run, entry, u"succeeded"_s)];
    addDuration(committed, entry);
}

// From the first intent to the proof, all attempts and waits between them included.
void Metrics::addDuration(const ports::Committed &committed, const model::Entry &entry)
{
    const model::Operation *operation = operationOf(committed.run, entry);
    if (!operation || operation->firstIntentAt == model::never)
        return;
    const model::Millis took = std::max<model::Millis>(0, entry.at - operation->firstIntentAt);
    Histogram &histogram = m_durations[labels({{"workflow", committed.run.workflow},
                                               {"step", entry.step},
                                               {"action", model::directionName(entry.direction)}})];
    for (size_t i = 0; i < bounds.size(); ++i)
        histogram.upTo[i] += double(took) / 1000 <= bounds[i] ? 1 : 0;
    ++histogram.count;
    histogram.sum += took;
}

QByteArray Metrics::text(const std::optional<Gauges> &gauges) const
{
    QByteArray out;
    {
        const std::lock_guard lock(m_mutex);
        gauge(out, "holdfast_worker_info", "This worker.",
              {{labels({{"worker", m_worker}, {"version", m_programVersion}}), "1"}});
        counter(out, "holdfast_runs_total", "Runs this worker brought to an end.", m_runs);
        counter(out, "holdfast_attempts_total",
                "Attempts that ended at this worker, by the class of their failure.", m_attempts);
        counter(out, "holdfast_retries_total", "Attempts after the first of their kind.",
                m_retries);
        counter(out, "holdfast_compensations_total", "Compensations that came to an end.",
                m_compensations);
        counter(out, "holdfast_duplicates_prevented_total",
                "Effects that would have happened twice without the ledger.", m_duplicates);
        head(out, "holdfast_step_duration_seconds", "histogram",
             "From the first intent of a step to its proof.");
        for (const auto &[labelText, histogram] : m_durations) {
            const QByteArray name = "holdfast_step_duration_seconds";
            for (size_t i = 0; i < bounds.size(); ++i)
                sample(out, name + "_bucket",
                       labelText + ",le=\"" + QByteArray::number(bounds[i]) + '"',
                       QByteArray::number(histogram.upTo[i]));
            sample(out, name + "_bucket", labelText + ",le=\"+Inf\"",
                   QByteArray::number(histogram.count));
            sample(out, name + "_sum", labelText, inSeconds(histogram.sum));
            sample(out, name + "_count", labelText, QByteArray::number(histogram.count));
        }
        counter(out, "holdfast_telemetry_dropped_total",
                "Log lines, summaries and spans that nobody could take.", m_dropped);
        counter(out, "holdfast_spans_sent_total", "Spans that were handed on.",
                {{{}, m_spansSent}});
    }
    gauge(out, "holdfast_database_up", "1 while the database answers.", {{{}, gauges ? "1" : "0"}});
    if (gauges)
        appendGauges(out, *gauges);
    return out;
}

} // namespace holdfast::insight
