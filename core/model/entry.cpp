#include "model/entry.h"

#include "model/json.h"
#include "model/names.h"

#include <QCache>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
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

// Members are few and fields are many, so the members are walked, not the fields.
Entry Entry::fromJson(const QJsonObject &object)
{
    Entry entry;
    entry.kind = EntryKind::noted;
    for (auto member = object.constBegin(); member != object.constEnd(); ++member)
        entry.take(member.key(), member.value());
    return entry;
}

void Entry::take(const QString &name, const QJsonValue &value)
{
    if (name == QLatin1String("kind"))
        kind = entryKindFromName(value.toString()).value_or(EntryKind::noted);
    else if (name == QLatin1String("at"))
        at = value.toInteger();
    else if (name == QLatin1String("step"))
        step = value.toString();
    else if (name == QLatin1String("direction"))
        direction = directionFromName(value.toString()).value_or(Direction::forward);
    else if (name == QLatin1String("attempt"))
        attempt = int(value.toInteger());
    else if (name == QLatin1String("fence"))
        fence = value.toInteger();
    else if (name == QLatin1String("revision"))
        dependencyRevision = int(value.toInteger());
    else if (name == QLatin1String("class"))
        failureClass = failureClassFromName(value.toString()).value_or(FailureClass::none);
    else if (name == QLatin1String("reason"))
        reason = value.toString();
    else if (name == QLatin1String("status"))
        status = int(value.toInteger());
    else if (name == QLatin1String("due"))
        due = value.toInteger();
    else if (name == QLatin1String("key"))
        key = value.toString();
    else if (name == QLatin1String("hash"))
        hash = value.toString();
    else if (name == QLatin1String("operation"))
        operation = value.toString();
    else if (name == QLatin1String("review"))
        reviewId = value.toString();
    else if (name == QLatin1String("review_kind"))
        reviewKind = reviewKindFromName(value.toString());
    else if (name == QLatin1String("run_status"))
        runStatus = runStatusFromName(value.toString());
    else if (name == QLatin1String("actor"))
        actor = value.toString();
    else if (name == QLatin1String("detail"))
        detail = value.toObject();
    else if (name == QLatin1String("request"))
        request = Request::fromJson(value.toObject());
    else if (name == QLatin1String("counts"))
        counts = value.toBool();
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

namespace
{
Entries readEntries(const QByteArray &text)
{
    Entries entries;
    const QJsonArray list = QJsonDocument::fromJson(text).array();
    entries.reserve(list.size());
    for (const QJsonValue &value : list)
        entries.append(Entry::fromJson(value.toObject()));
    return entries;
}
} // namespace

// A run is folded from its whole journal in every turn, and a row of a journal never changes: what
// a text was read as is kept, by the text itself, so that nothing can be out of date.
Entries entriesFromJson(const QByteArray &text)
{
    constexpr int keptBytes = 1'000'000;
    thread_local QCache<QByteArray, Entries> known(keptBytes);
    if (const Entries *entries = known.object(text))
        return *entries;
    const Entries entries = readEntries(text);
    known.insert(text, new Entries(entries), int(std::min<qsizetype>(text.size(), keptBytes + 1)));
    return entries;
}

} // namespace holdfast::model
