#include "model/entry.h"

#include "model/json.h"
#include "model/names.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <charconv>

namespace holdfast::model
{

namespace
{
constexpr std::array<Name<EntryKind>, 25> entryKinds{
    {{EntryKind::accepted, u"accepted"},
     {EntryKind::stepStarted, u"step_started"},
     {EntryKind::stepSkipped, u"step_skipped"},
     {EntryKind::prepared, u"prepared"},
     {EntryKind::gated, u"gated"},
     {EntryKind::intent, u"intent"},
     {EntryKind::attemptEnded, u"attempt_ended"},
     {EntryKind::snapshotKept, u"snapshot_kept"},
     {EntryKind::retryScheduled, u"retry_scheduled"},
     {EntryKind::verifyScheduled, u"verify_scheduled"},
     {EntryKind::clearedAbsent, u"cleared_absent"},
     {EntryKind::confirmed, u"confirmed"},
     {EntryKind::replayed, u"replayed"},
     {EntryKind::stepFailed, u"step_failed"},
     {EntryKind::reviewOpened, u"review_opened"},
     {EntryKind::reviewClosed, u"review_closed"},
     {EntryKind::approved, u"approved"},
     {EntryKind::waiting, u"waiting"},
     {EntryKind::compensationBegan, u"compensation_began"},
     {EntryKind::compensationWaived, u"compensation_waived"},
     {EntryKind::cancelAsked, u"cancel_asked"},
     {EntryKind::reopened, u"reopened"},
     {EntryKind::lateReport, u"late_report"},
     {EntryKind::noted, u"noted"},
     {EntryKind::finished, u"finished"}}};

// The journal is the engine's hottest output, so entries are written straight into the bytes that
// are stored.
class FieldWriter
{
public:
    explicit FieldWriter(QByteArray &out) : m_out(out) { m_out += '{'; }
    ~FieldWriter() { m_out += '}'; }
    Q_DISABLE_COPY_MOVE(FieldWriter)

    void put(const char *name, const QString &value)
    {
        if (value.isEmpty())
            return;
        begin(name);
        appendJsonString(m_out, value);
    }
    void put(const char *name, qint64 value)
    {
        if (value == 0)
            return;
        begin(name);
        char buffer[24];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
        m_out.append(buffer, end - buffer);
    }
    void put(const char *name, const QJsonObject &value)
    {
        if (value.isEmpty())
            return;
        begin(name);
        appendJson(m_out, value);
    }
    void put(const char *name, const Request &value)
    {
        begin(name);
        value.appendTo(m_out);
    }
    void flag(const char *name)
    {
        begin(name);
        m_out += "true";
    }

private:
    void begin(const char *name)
    {
        if (!m_isFirst)
            m_out += ',';
        m_isFirst = false;
        m_out += '"';
        m_out += name;
        m_out += "\":";
    }

    QByteArray &m_out;
    bool m_isFirst = true;
};
} // namespace

QString entryKindName(EntryKind kind) { return nameOf(entryKinds, kind); }
std::optional<EntryKind> entryKindFromName(const QString &name)
{
    return valueOf(entryKinds, name);
}

void Entry::appendTo(QByteArray &out) const
{
    FieldWriter fields(out);
    fields.put("kind", entryKindName(kind));
    fields.put("at", at);
    fields.put("step", step);
    if (direction != Direction::forward)
        fields.put("direction", directionName(direction));
    fields.put("attempt", attempt);
    fields.put("fence", fence);
    fields.put("revision", dependencyRevision);
    if (failureClass != FailureClass::none)
        fields.put("class", failureClassName(failureClass));
    fields.put("reason", reason);
    fields.put("status", status);
    fields.put("due", due);
    fields.put("key", key);
    fields.put("hash", hash);
    fields.put("operation", operation);
    fields.put("review", reviewId);
    if (reviewKind)
        fields.put("review_kind", reviewKindName(*reviewKind));
    if (runStatus)
        fields.put("run_status", runStatusName(*runStatus));
    fields.put("actor", actor);
    fields.put("detail", detail);
    if (request)
        fields.put("request", *request);
    if (counts)
        fields.flag("counts");
}

QJsonObject Entry::toJson() const
{
    QByteArray text;
    appendTo(text);
    return QJsonDocument::fromJson(text).object();
}

Entry Entry::fromJson(const QJsonObject &object)
{
    Entry entry;
    entry.kind = entryKindFromName(object.value(QLatin1String("kind")).toString())
                     .value_or(EntryKind::noted);
    entry.at = object.value(QLatin1String("at")).toInteger();
    entry.step = object.value(QLatin1String("step")).toString();
    entry.direction = directionFromName(object.value(QLatin1String("direction")).toString())
                          .value_or(Direction::forward);
    entry.attempt = int(object.value(QLatin1String("attempt")).toInteger());
    entry.fence = object.value(QLatin1String("fence")).toInteger();
    entry.dependencyRevision = int(object.value(QLatin1String("revision")).toInteger());
    entry.failureClass = failureClassFromName(object.value(QLatin1String("class")).toString())
                             .value_or(FailureClass::none);
    entry.reason = object.value(QLatin1String("reason")).toString();
    entry.status = int(object.value(QLatin1String("status")).toInteger());
    entry.due = object.value(QLatin1String("due")).toInteger();
    entry.key = object.value(QLatin1String("key")).toString();
    entry.hash = object.value(QLatin1String("hash")).toString();
    entry.operation = object.value(QLatin1String("operation")).toString();
    entry.reviewId = object.value(QLatin1String("review")).toString();
    entry.reviewKind = reviewKindFromName(object.value(QLatin1String("review_kind")).toString());
    entry.runStatus = runStatusFromName(object.value(QLatin1String("run_status")).toString());
    entry.actor = object.value(QLatin1String("actor")).toString();
    entry.detail = object.value(QLatin1String("detail")).toObject();
    if (object.contains(QLatin1String("request")))
        entry.request = Request::fromJson(object.value(QLatin1String("request")).toObject());
    entry.counts = object.value(QLatin1String("counts")).toBool();
    return entry;
}

QByteArray entriesToJson(const Entries &entries)
{
    QByteArray out;
    out.reserve(256 * entries.size());
    out += '[';
    for (const Entry &entry : entries) {
        if (out.size() > 1)
            out += ',';
        entry.appendTo(out);
    }
    out += ']';
    return out;
}

Entries entriesFromJson(const QByteArray &text)
{
    Entries entries;
    const QJsonArray list = QJsonDocument::fromJson(text).array();
    entries.reserve(list.size());
    for (const QJsonValue &value : list)
        entries.append(Entry::fromJson(value.toObject()));
    return entries;
}

} // namespace holdfast::model
