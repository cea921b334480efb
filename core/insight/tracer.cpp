#include "insight/tracer.h"

#include "insight/disposition.h"
#include "insight/trace_names.h"
#include "model/json.h"
#include "model/trace.h"

#include <QUrl>

namespace holdfast::insight
{

using namespace Qt::StringLiterals;
using model::Direction;
using model::EntryKind;

namespace
{
// As OTLP numbers them.
constexpr int kindInternal = 1;
constexpr int kindClient = 3;
constexpr int statusError = 2;

void add(QJsonArray &attributes, const char *name, const QString &value)
{
    if (!value.isEmpty())
        attributes.append(QJsonObject{{u"key"_s, QString::fromLatin1(name)},
                                      {u"value"_s, QJsonObject{{u"stringValue"_s, value}}}});
}

// 64 bits are a string in the JSON of protocol buffers.
void add(QJsonArray &attributes, const char *name, qint64 value)
{
    attributes.append(
        QJsonObject{{u"key"_s, QString::fromLatin1(name)},
                    {u"value"_s, QJsonObject{{u"intValue"_s, QString::number(value)}}}});
}

QString nanos(model::Instant instant) { return QString::number(instant) + u"000000"_s; }

QString keyHash(const model::Operation *operation)
{
    if (!operation || operation->key.isEmpty())
        return {};
    return model::sha256Hex(operation->key.toUtf8());
}

bool endsAttempt(const model::Entry &entry)
{
    return entry.attempt > 0 &&
           (entry.kind == EntryKind::attemptEnded || entry.kind == EntryKind::confirmed ||
            entry.kind == EntryKind::snapshotKept);
}

bool isDecision(const model::Entry &entry)
{
    switch (entry.kind) {
    case EntryKind::accepted:
    case EntryKind::stepStarted:
    case EntryKind::stepSkipped:
    case EntryKind::prepared:
    case EntryKind::intent:
    case EntryKind::attemptEnded:
    case EntryKind::snapshotKept:
    case EntryKind::waiting:
    case EntryKind::noted:
    case EntryKind::finished: return false;
    case EntryKind::confirmed: return entry.attempt == 0;
    case EntryKind::gated:
    case EntryKind::retryScheduled:
    case EntryKind::verifyScheduled:
    case EntryKind::clearedAbsent:
    case EntryKind::replayed:
    case EntryKind::stepFailed:
    case EntryKind::reviewOpened:
    case EntryKind::reviewClosed:
    case EntryKind::approved:
    case EntryKind::compensationBegan:
    case EntryKind::compensationWaived:
    case EntryKind::cancelAsked:
    case EntryKind::reopened:
    case EntryKind::lateReport: return true;
    }
    Q_UNREACHABLE();
}

QJsonArray runAttributes(const model::Run &run)
{
    QJsonArray attributes;
    add(attributes, names::runId, run.runId);
    add(attributes, names::workflow, run.workflow);
    add(attributes, names::workflowVersion, qint64(run.version));
    return attributes;
}

QJsonObject eventOf(const model::Run &run, const model::Entry &entry)
{
    const model::Operation *operation = operationOf(run, entry);
    QJsonArray attributes = runAttributes(run);
    if (operation) {
        add(attributes, names::step, entry.step);
        add(attributes, names::action, model::directionName(entry.direction));
        add(attributes, names::keyHash, keyHash(operation));
    }
    // A person's reason is their words; the engine's is a code.
    if (entry.actor.isEmpty())
        add(attributes, names::reason, entry.reason);
    if (entry.reviewKind)
        add(attributes, names::reviewKind, model::reviewKindName(*entry.reviewKind));
    add(attributes, names::retryCount, qint64(run.retryCount));
    add(attributes, names::outcome, dispositionOf(run, operation));
    return {{u"timeUnixNano"_s, nanos(entry.at)},
            {u"name"_s, u"holdfast."_s + model::entryKindName(entry.kind)},
            {u"attributes"_s, attributes}};
}

QJsonObject span(const model::TraceContext &trace, const QString &id, const QString &parent)
{
    QJsonObject span{{u"traceId"_s, trace.traceId}, {u"spanId"_s, id}};
    if (!parent.isEmpty())
        span.insert(u"parentSpanId"_s, parent);
    return span;
}

QJsonObject rootSpan(const model::TraceContext &trace, const model::Run &run)
{
    QJsonObject root = span(trace, model::runSpanId(run.runId), trace.parentId);
    QJsonArray attributes = runAttributes(run);
    add(attributes, names::outcome, model::runStatusName(run.status));
    add(attributes, names::retryCount, qint64(run.retryCount));
    add(attributes, names::compensationCount, qint64(run.compensationCount));
    add(attributes, names::duplicatesPrevented, qint64(run.duplicatesPrevented));
    if (endsBadly(run.status)) {
        add(attributes, names::errorType, run.reason.isEmpty() ? u"_OTHER"_s : run.reason);
        root.insert(u"status"_s, QJsonObject{{u"code"_s, statusError}});
    }
    root.insert(u"name"_s, run.workflow);
    root.insert(u"kind"_s, kindInternal);
    root.insert(u"startTimeUnixNano"_s, nanos(run.createdAt));
    // The clock of the database may have been set back in between.
    root.insert(u"endTimeUnixNano"_s, nanos(std::max(run.finishedAt, run.createdAt)));
    root.insert(u"attributes"_s, attributes);
    return root;
}

QJsonObject decisionSpan(const model::TraceContext &trace, const model::Run &run, model::Instant at)
{
    QJsonObject decision =
        span(trace, model::decisionSpanId(run.runId, run.seq), model::runSpanId(run.runId));
    decision.insert(u"name"_s, u"decision"_s);
    decision.insert(u"kind"_s, kindInternal);
    decision.insert(u"startTimeUnixNano"_s, nanos(at));
    decision.insert(u"endTimeUnixNano"_s, nanos(at));
    decision.insert(u"attributes"_s, runAttributes(run));
    return decision;
}

void addEvents(QJsonObject &span, const QJsonArray &events)
{
    if (!events.isEmpty())
        span.insert(u"events"_s, events);
}

const model::Attempt *attemptOf(const model::Run &run, const model::Entry &entry)
{
    const model::Step *step = run.find(entry.step);
    if (!step)
        return nullptr;
    for (const model::Attempt &attempt : step->attempts) {
        if (attempt.number == entry.attempt && attempt.direction == entry.direction)
            return &attempt;
    }
    return nullptr;
}
} // namespace

QString redactedUrl(const QString &origin, const QString &path, const QString &key)
{
    const qsizetype question = path.indexOf(u'?');
    QStringList segments = (question < 0 ? path : path.left(question)).split(u'/');
    for (QString &segment : segments) {
        if (!key.isEmpty() && QUrl::fromPercentEncoding(segment.toUtf8()).contains(key))
            segment = u"REDACTED"_s;
    }
    QString url = origin + segments.join(u'/');
    if (question < 0)
        return url;
    QStringList parts = path.mid(question + 1).split(u'&');
    for (QString &part : parts) {
        const qsizetype equals = part.indexOf(u'=');
        part = equals < 0 ? u"REDACTED"_s : part.left(equals) + u"=REDACTED"_s;
    }
    return url + u'?' + parts.join(u'&');
}

void Tracer::sending(const model::Call &call)
{
    if (call.direction != Direction::verify && call.direction != Direction::snapshot)
        return;
    // Those whose end somebody else tells are never asked for again.
    if (m_asked.size() >= askedMax)
        m_asked.clear();
    model::Request request;
    request.method = call.request.method;
    request.path = call.request.path;
    request.argv = call.request.argv;
    m_asked.insert(model::attemptSpanId(call.runId, call.step, call.direction, call.attempt),
                   request);
}

void Tracer::addRequest(QJsonArray &attributes, const model::Request &request,
                        const QString &origin, const QString &key) const
{
    if (request.isCommand()) {
        add(attributes, names::processExecutableName,
            request.argv.first().section(u'/', -1, -1, QString::SectionSkipEmpty));
        return;
    }
    add(attributes, names::httpRequestMethod, request.method);
    if (origin.isEmpty())
        return;
    const QUrl url(origin);
    add(attributes, names::serverAddress, url.host());
    add(attributes, names::serverPort, qint64(url.port(url.scheme() == "https"_L1 ? 443 : 80)));
    if (!request.path.isEmpty())
        add(attributes, names::urlFull, redactedUrl(origin, request.path, key));
}

QJsonObject Tracer::attemptSpan(const ports::Committed &committed, const model::Entry &entry)
{
    const model::Run &run = committed.run;
    const model::TraceContext trace = model::traceOf(run.runId, run.traceparent);
    const QString id = model::attemptSpanId(run.runId, entry.step, entry.direction, entry.attempt);
    const model::Request asked = m_asked.take(id);
    const model::Operation *operation = operationOf(run, entry);
    const model::Attempt *attempt = attemptOf(run, entry);
    if (!operation || !attempt || !trace.isSampled)
        return {};
    const bool isAsked =
        entry.direction == Direction::verify || entry.direction == Direction::snapshot;
    const model::Request &request = isAsked ? asked : operation->request;
    const bool undo = operation == &run.find(entry.step)->undo;
    const auto *policy = model::operationPolicy(committed.policy, entry.step,
                                                undo ? Direction::compensate : Direction::forward);
    const QString dependency = policy ? policy->dependency : QString();
    QJsonArray attributes = runAttributes(run);
    add(attributes, names::step, entry.step);
    add(attributes, names::action, model::directionName(entry.direction));
    add(attributes, names::attempt, qint64(entry.attempt));
    add(attributes, names::dependency, dependency);
    add(attributes, names::keyHash, keyHash(operation));
    addRequest(attributes, request,
               dependency.isEmpty() ? QString()
                                    : m_originOf(dependency, attempt->dependencyRevision),
               operation->key);
    const bool isCommand = request.isCommand();
    if (entry.status > 0 || (isCommand && entry.status == 0))
        add(attributes, isCommand ? names::processExitCode : names::httpResponseStatusCode,
            qint64(entry.status));
    if (!isCommand && entry.attempt > 1)
        add(attributes, names::httpRequestResendCount, qint64(entry.attempt - 1));
    add(attributes, names::failureClass, model::failureClassName(entry.failureClass));
    add(attributes, names::reason, entry.reason);
    add(attributes, names::outcome, dispositionOf(run, operation));
    QJsonObject client = span(trace, id, model::runSpanId(run.runId));
    if (entry.failureClass != model::FailureClass::none) {
        add(attributes, names::errorType, entry.reason.isEmpty() ? u"_OTHER"_s : entry.reason);
        client.insert(u"status"_s, QJsonObject{{u"code"_s, statusError}});
    }
    client.insert(u"name"_s, model::directionName(entry.direction) + u' ' + entry.step);
    client.insert(u"kind"_s, kindClient);
    client.insert(u"startTimeUnixNano"_s, nanos(attempt->startedAt));
    // The clock of the database may have been set back in between.
    client.insert(u"endTimeUnixNano"_s, nanos(std::max(entry.at, attempt->startedAt)));
    client.insert(u"attributes"_s, attributes);
    return client;
}

QVector<QByteArray> Tracer::spans(const ports::Committed &committed)
{
    struct Open {
        QJsonObject span;
        QJsonArray events;
    };
    const model::Run &run = committed.run;
    const model::TraceContext trace = model::traceOf(run.runId, run.traceparent);
    QVector<Open> attempts;
    QJsonArray loose;
    bool hasEnded = false;
    model::Instant looseAt = model::never;
    for (const model::Entry &entry : committed.entries) {
        hasEnded = hasEnded || entry.kind == EntryKind::finished;
        if (endsAttempt(entry)) {
            if (const QJsonObject span = attemptSpan(committed, entry); !span.isEmpty())
                attempts.append({span, {}});
        } else if (isDecision(entry) && trace.isSampled) {
            // What follows the end of an attempt in the same commit follows from it.
            (attempts.isEmpty() ? loose : attempts.last().events).append(eventOf(run, entry));
            looseAt = entry.at;
        }
    }
    QVector<QByteArray> spans;
    if (!trace.isSampled)
        return spans;
    for (Open &attempt : attempts) {
        addEvents(attempt.span, attempt.events);
        spans.append(model::compactJson(attempt.span));
    }
    if (hasEnded || !loose.isEmpty()) {
        QJsonObject last = hasEnded ? rootSpan(trace, run) : decisionSpan(trace, run, looseAt);
        addEvents(last, loose);
        spans.append(model::compactJson(last));
    }
    return spans;
}

QByteArray exportRequest(const QString &worker, const QString &programVersion,
                         const QVector<QByteArray> &spans)
{
    QJsonArray resource;
    add(resource, names::serviceName, u"holdfast"_s);
    add(resource, names::serviceVersion, programVersion);
    add(resource, names::serviceInstanceId, worker);
    QByteArray text =
        "{\"resourceSpans\":[{\"resource\":{\"attributes\":" + model::compactJson(resource) +
        "},\"scopeSpans\":[{\"scope\":{\"name\":\"holdfast\"},\"spans\":[";
    for (qsizetype i = 0; i < spans.size(); ++i)
        text += (i == 0 ? "" : ",") + spans.at(i);
    return text + "]}]}]}";
}

} // namespace holdfast::insight
