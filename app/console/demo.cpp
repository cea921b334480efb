#include "app/console/demo.h"

#include "app/console/demo_history.h"
#include "app/console/samples.h"
#include "ports/clock.h"

#include <QFile>
#include <QHash>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int firstNumber = 5000; // beyond those of the seeded weeks
constexpr int trafficMs = 1500;
constexpr quint16 wantedPort = 8460;

// A key and its "#attempt" are one piece of business.
int duplicatesByStem(const QVector<sandbox::EffectRecord> &effects)
{
    QHash<QString, int> counts;
    for (const sandbox::EffectRecord &effect : effects)
        ++counts[effect.action + u'|' + effect.key.section(u'#', 0, 0)];
    int duplicates = 0;
    for (const int count : std::as_const(counts))
        duplicates += count - 1;
    return duplicates;
}
} // namespace

Demo::Demo(quint64 seed) : m_seed(seed), m_number(firstNumber)
{
    m_world = std::make_unique<sandbox::SandboxThread>(wantedPort);
    if (m_world->port() == 0)
        m_world = std::make_unique<sandbox::SandboxThread>();
    m_twin = std::make_unique<sandbox::SandboxThread>();
    m_blind = std::make_unique<BlindClient>(m_twin->origin());
    m_traffic.setInterval(trafficMs);
    connect(&m_traffic, &QTimer::timeout, this, [this] { startOne(m_number % 3 != 0); });
}

Demo::~Demo() = default;

QString Demo::url() const { return u"sqlite:"_s + m_home.filePath(u"demo.db"_s); }

QString Demo::secretsFile() const { return m_home.filePath(u"secrets"_s); }

// The sandbox takes any token; the engine refuses to send without one.
model::Result<void> Demo::writeSecrets() const
{
    QFile file(secretsFile());
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
                           file.write("PAYMENTS_TOKEN=demo\n") > 0;
    return isWritten ? model::Result<void>()
                     : model::invalid(u"cannot write %1"_s.arg(file.fileName()));
}

model::Result<void> Demo::prepare(const std::function<bool(int percent)> &progress)
{
    if (const auto secrets = writeSecrets(); !secrets)
        return secrets;
    HistoryPlan plan;
    plan.path = m_home.filePath(u"demo.db"_s);
    plan.seed = m_seed;
    plan.until = ports::SystemClock().now();
    const auto written = writeHistory(plan, *m_world, progress);
    m_effectsBefore = m_world->books().effectCount();
    return written;
}

const QVector<Demo::Preset> &Demo::presets()
{
    static const QVector<Preset> list{
        {u"Calm"_s, u"Everything answers."_s, {{u"chaos"_s, 0}, {u"always"_s, QJsonObject{}}}},
        {u"Bad afternoon"_s,
         u"A third of all calls misbehave, each in its own way."_s,
         {{u"seed"_s, 7}, {u"chaos"_s, 35}}},
        {u"Payments loses replies"_s,
         u"The charge is made, the answer never comes."_s,
         {{u"always"_s, QJsonObject{{u"/payments"_s, u"work_then_drop"_s}}}}},
        {u"Payments is down"_s,
         u"Every call to payments is answered with 503."_s,
         {{u"always"_s, QJsonObject{{u"/payments"_s, u"503"_s}}}}},
        {u"Mail loses replies"_s,
         u"The message is sent, nobody hears of it: a person decides."_s,
         {{u"always"_s, QJsonObject{{u"/mail"_s, u"work_then_drop"_s}}}}},
        {u"Shipping refuses"_s,
         u"Every shipment is refused, so charges are compensated."_s,
         {{u"always"_s, QJsonObject{{u"/inventory/v1/shipments"_s, u"422"_s}}}}},
    };
    return list;
}

void Demo::setFaults(const QJsonObject &faults)
{
    for (sandbox::SandboxThread *world : {m_world.get(), m_twin.get()}) {
        world->faults().clear();
        if (const auto applied = world->faults().apply(faults); !applied)
            Q_EMIT said(applied.error().message);
    }
}

void Demo::startOne(bool isOrder)
{
    if (!m_bridge)
        return;
    const int number = ++m_number;
    const QJsonObject input = isOrder ? orderInput(number) : invoiceInput(number);
    m_bridge->act(
        u"start"_s,
        {{u"workflow"_s, isOrder ? u"order"_s : u"billing-assistant"_s}, {u"input"_s, input}}, this,
        [this](const model::Result<QJsonValue> &answer) {
            if (!answer)
                Q_EMIT said(answer.error().message);
        });
    if (isOrder)
        m_blind->order(input);
    else
        m_blind->invoice(input);
}

void Demo::start(int orders, int invoices)
{
    for (int i = 0; i < orders; ++i)
        startOne(true);
    for (int i = 0; i < invoices; ++i)
        startOne(false);
}

void Demo::setTraffic(bool goesOn)
{
    if (goesOn)
        m_traffic.start();
    else
        m_traffic.stop();
}

Demo::Truth Demo::truth() const
{
    Truth truth;
    truth.effects = m_world->books().effectCount() - m_effectsBefore;
    for (const sandbox::Duplicate &duplicate : m_world->books().duplicates())
        truth.duplicates += duplicate.count - 1;
    const auto blind = m_twin->books().effects();
    truth.blindEffects = int(blind.size());
    truth.blindDuplicates = duplicatesByStem(blind);
    return truth;
}

} // namespace holdfast::console
