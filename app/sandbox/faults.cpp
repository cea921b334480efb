#include "app/sandbox/faults.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <algorithm>
#include <array>
#include <iterator>

namespace holdfast::sandbox
{

namespace
{

using Kind = Fault::Kind;

struct Name {
    const char *text;
    Kind kind;
    bool hasNumber;
};

constexpr std::array names{
    Name{"ok", Kind::ok, false},
    Name{"drop", Kind::drop, false},
    Name{"reset", Kind::reset, false},
    Name{"hang", Kind::hang, false},
    Name{"half", Kind::half, false},
    Name{"delay", Kind::delay, true},
    Name{"late", Kind::late, true},
    Name{"probe_lag", Kind::probeLag, true},
    Name{"probe_down", Kind::probeDown, false},
    Name{"html200", Kind::html200, false},
    Name{"garbage", Kind::garbage, false},
    Name{"slow_loris", Kind::slowLoris, false},
    Name{"huge", Kind::huge, false},
    Name{"stored_500", Kind::stored500, false},
};

constexpr std::array chaosForWrites{
    "work_then_drop", "work_then_reset", "work_then_500", "work_then_half",
    "drop",           "reset",           "503",           "429",
    "delay:200"};
constexpr std::array chaosForReads{"500", "drop", "delay:100"};

QStringList segmentsOf(const QString &path)
{
    return path.section(u'?', 0, 0).split(u'/', Qt::SkipEmptyParts);
}

bool isPrefix(const QStringList &pattern, const QStringList &path)
{
    return pattern.size() <= path.size() &&
           std::equal(pattern.begin(), pattern.end(), path.begin(),
                      [](const QString &p, const QString &s) { return p == u"*" || p == s; });
}

// A number that depends on its inputs alone, evenly enough for dice.
quint64 mixed(const QByteArray &text)
{
    const QByteArray hash = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
    quint64 number = 0;
    for (int i = 0; i < 8; ++i)
        number = (number << 8) | static_cast<unsigned char>(hash.at(i));
    return number;
}

bool isForRequest(const Fault &fault, bool isScriptForAny, bool isGet)
{
    if (fault.isProbeFault())
        return isGet;
    return !isScriptForAny || !isGet;
}

} // namespace

model::Result<Fault> Fault::parse(const QString &name)
{
    Fault fault;
    const QString prefix = QStringLiteral("work_then_");
    fault.worksFirst = name.startsWith(prefix);
    const QString rest = fault.worksFirst ? name.mid(prefix.size()) : name;
    const QString word = rest.section(u':', 0, 0);
    const QString argument = rest.section(u':', 1);
    const auto unknown = [&name] {
        return model::invalid(QStringLiteral("There is no fault \"%1\".").arg(name));
    };
    bool isNumber = false;
    const int status = word.toInt(&isNumber);
    if (isNumber) {
        if (status < 200 || status > 599)
            return unknown();
        fault.kind = Kind::status;
        fault.number = status;
        fault.text = argument;
        return fault;
    }
    if (word == u"redirect") {
        fault.kind = Kind::redirect;
        fault.text = argument;
        return argument.contains(u'\r') || argument.contains(u'\n')
                   ? model::Result<Fault>(unknown())
                   : fault;
    }
    const auto found = std::find_if(names.begin(), names.end(), [&word](const Name &candidate) {
        return word == QLatin1String(candidate.text);
    });
    if (found == names.end())
        return unknown();
    fault.kind = found->kind;
    fault.number = argument.toInt(&isNumber);
    if (found->hasNumber ? (!isNumber || fault.number < 0 || fault.number > 600'000)
                         : !argument.isEmpty())
        return unknown();
    return fault;
}

model::Result<void> FaultPlan::push(const QString &path, const QStringList &faults)
{
    std::vector<std::pair<QString, Fault>> parsed;
    for (const QString &name : faults) {
        const auto fault = Fault::parse(name);
        if (!fault)
            return fault.error();
        parsed.emplace_back(name, *fault);
    }
    const std::lock_guard lock(m_mutex);
    Script &script = scriptFor(path);
    if (script.queue.size() + parsed.size() > queueMax)
        return model::refused(QStringLiteral("The queue of %1 is full.").arg(path));
    script.queue.insert(script.queue.end(), parsed.begin(), parsed.end());
    return {};
}

model::Result<void> FaultPlan::always(const QString &path, const QString &name)
{
    const auto fault = name.isEmpty() ? model::Result<Fault>(Fault()) : Fault::parse(name);
    if (!fault)
        return fault.error();
    const std::lock_guard lock(m_mutex);
    Script &script = scriptFor(path);
    if (name.isEmpty())
        script.standing.reset();
    else
        script.standing.emplace(name, *fault);
    return {};
}

void FaultPlan::chaos(quint64 seed, int percent)
{
    const std::lock_guard lock(m_mutex);
    m_seed = seed;
    m_chaosPercent = std::clamp(percent, 0, 100);
    m_seen.clear();
}

void FaultPlan::clear()
{
    const std::lock_guard lock(m_mutex);
    m_scripts.clear();
    m_seen.clear();
}

Fault FaultPlan::take(const QString &method, const QString &path, const QString &key)
{
    const std::lock_guard lock(m_mutex);
    const bool isGet = method == u"GET";
    for (Script *script : matches(method, path)) {
        const bool isForAny = script->method.isEmpty();
        const auto next =
            std::find_if(script->queue.begin(), script->queue.end(), [&](const auto &entry) {
                return isForRequest(entry.second, isForAny, isGet);
            });
        if (next != script->queue.end()) {
            const Fault fault = next->second;
            script->queue.erase(next);
            return fault;
        }
        if (script->standing && isForRequest(script->standing->second, isForAny, isGet))
            return script->standing->second;
    }
    return chaosFault(method, path, key);
}

QJsonObject FaultPlan::toJson() const
{
    const std::lock_guard lock(m_mutex);
    QJsonObject queue;
    QJsonObject standing;
    for (const Script &script : m_scripts) {
        QJsonArray entries;
        for (const auto &[name, fault] : script.queue)
            entries.append(name);
        if (!entries.isEmpty())
            queue.insert(script.name, entries);
        if (script.standing)
            standing.insert(script.name, script.standing->first);
    }
    return {{"queue", queue},
            {"always", standing},
            {"seed", static_cast<qint64>(m_seed)},
            {"chaos", m_chaosPercent}};
}

model::Result<void> FaultPlan::apply(const QJsonObject &object)
{
    const QJsonObject queues = object.value(QLatin1String("queue")).toObject();
    const QJsonObject standing = object.value(QLatin1String("always")).toObject();
    const auto textsOf = [](const QJsonArray &array) {
        QStringList texts;
        for (const QJsonValue &value : array)
            texts.append(value.isDouble() ? QString::number(value.toInt()) : value.toString());
        return texts;
    };
    QStringList all;
    for (const QJsonValue &value : queues)
        all += textsOf(value.toArray());
    for (const QJsonValue &value : standing)
        all += textsOf({value});
    for (const QString &name : all) {
        if (const auto fault = Fault::parse(name); !name.isEmpty() && !fault)
            return fault.error();
    }
    for (auto it = queues.begin(); it != queues.end(); ++it) {
        if (const auto pushed = push(it.key(), textsOf(it.value().toArray())); !pushed)
            return pushed;
    }
    for (auto it = standing.begin(); it != standing.end(); ++it) {
        if (const auto set = always(it.key(), textsOf({it.value()}).first()); !set)
            return set;
    }
    if (object.contains(QLatin1String("chaos"))) {
        chaos(static_cast<quint64>(object.value(QLatin1String("seed")).toInteger()),
              object.value(QLatin1String("chaos")).toInt());
    }
    return {};
}

FaultPlan::Script &FaultPlan::scriptFor(const QString &path)
{
    for (Script &script : m_scripts) {
        if (script.name == path)
            return script;
    }
    Script script;
    script.name = path;
    script.method = path.startsWith(u'/') ? QString() : path.section(u' ', 0, 0);
    script.segments = segmentsOf(script.method.isEmpty() ? path : path.section(u' ', 1));
    m_scripts.push_back(std::move(script));
    return m_scripts.back();
}

// The most particular script first: more segments, then a named method, then fewer wildcards.
std::vector<FaultPlan::Script *> FaultPlan::matches(const QString &method, const QString &path)
{
    const QStringList segments = segmentsOf(path);
    std::vector<Script *> found;
    for (Script &script : m_scripts) {
        if ((script.method.isEmpty() || script.method == method) &&
            isPrefix(script.segments, segments))
            found.push_back(&script);
    }
    const auto rank = [](const Script *script) {
        return std::make_tuple(-script->segments.size(), script->method.isEmpty(),
                               script->segments.count(QStringLiteral("*")));
    };
    std::stable_sort(found.begin(), found.end(),
                     [&rank](const Script *a, const Script *b) { return rank(a) < rank(b); });
    return found;
}

Fault FaultPlan::chaosFault(const QString &method, const QString &path, const QString &key)
{
    if (m_chaosPercent == 0)
        return {};
    const QString what = method + u' ' + path;
    if (m_seen.size() > seenMax)
        m_seen.clear();
    const quint64 nth = m_seen[{what, key}]++;
    const quint64 dice = mixed(QByteArray::number(m_seed) + '\n' + what.toUtf8() + '\n' +
                               key.toUtf8() + '\n' + QByteArray::number(nth));
    if (static_cast<int>(dice % 100) >= m_chaosPercent)
        return {};
    const quint64 pick = dice / 100;
    const char *name = method == u"GET" ? chaosForReads[pick % chaosForReads.size()]
                                        : chaosForWrites[pick % chaosForWrites.size()];
    const auto fault = Fault::parse(QLatin1String(name));
    Q_ASSERT(fault.ok());
    return *fault;
}

} // namespace holdfast::sandbox
