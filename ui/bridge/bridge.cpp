#include "ui/bridge/bridge.h"

#include "ui/bridge/call_thread.h"

#include <QPointer>

namespace holdfast::bridge
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int pulseMs = 250;
} // namespace

Bridge::Bridge(Sources sources, QObject *parent) : QObject(parent), m_sources(std::move(sources))
{
    m_reader = std::make_unique<CallThread>(std::move(m_sources.read));
    m_actor = std::make_unique<CallThread>(std::move(m_sources.act));
    m_engine = m_sources.engine();
    m_timer.setInterval(pulseMs);
    connect(&m_timer, &QTimer::timeout, this, &Bridge::pulse);
}

Bridge::~Bridge() = default;

void Bridge::deliver(QObject *context, bool hadContext, const Answer &answer,
                     const Result<QJsonValue> &value)
{
    if (answer && (context || !hadContext))
        answer(value);
}

void Bridge::ask(const QString &name, const QJsonObject &arguments, QObject *context, Answer answer)
{
    m_reader->post(name, arguments,
                   [this, guard = QPointer<QObject>(context), had = context != nullptr,
                    answer = std::move(answer)](Result<QJsonValue> value) {
                       QMetaObject::invokeMethod(
                           this,
                           [this, guard, had, answer, value = std::move(value)] {
                               deliver(guard, had, answer, value);
                           },
                           Qt::QueuedConnection);
                   });
}

void Bridge::act(const QString &name, const QJsonObject &arguments, QObject *context, Answer answer)
{
    m_actor->post(name, arguments,
                  [this, guard = QPointer<QObject>(context), had = context != nullptr,
                   answer = std::move(answer)](Result<QJsonValue> value) {
                      QMetaObject::invokeMethod(
                          this,
                          [this, guard, had, answer, value = std::move(value)] {
                              deliver(guard, had, answer, value);
                              pulse();
                          },
                          Qt::QueuedConnection);
                  });
}

void Bridge::start()
{
    pulse();
    m_timer.start();
}

void Bridge::retire()
{
    m_timer.stop();
    m_isPulsing = true;
    const auto left = std::make_shared<int>(2);
    for (CallThread *thread : {m_reader.get(), m_actor.get()}) {
        connect(thread, &QThread::finished, this, [this, left] {
            if (--*left == 0)
                Q_EMIT retired();
        });
        thread->end();
    }
}

// The next look waits for the answer of the last one, so a slow database is not asked faster.
void Bridge::pulse()
{
    if (m_isPulsing)
        return;
    m_isPulsing = true;
    ask(u"pulse"_s, {}, this, [this](const Result<QJsonValue> &answer) { pulsed(answer); });
}

void Bridge::pulsed(const Result<QJsonValue> &answer)
{
    m_isPulsing = false;
    const bool wasAway = isAway();
    const EngineState engine = m_sources.engine();
    const bool engineMoved = engine != m_engine;
    m_engine = engine;
    if (!answer) {
        const bool isNews = m_problem != answer.error().message;
        m_problem = answer.error().message;
        if (isNews || engineMoved)
            Q_EMIT stateChanged();
        return;
    }
    m_problem.clear();
    m_lastGood = m_sources.now();
    const QJsonObject marks = answer->toObject();
    const bool isNews = wasAway || marks != m_marks;
    m_marks = marks;
    if (wasAway || engineMoved)
        Q_EMIT stateChanged();
    if (isNews)
        Q_EMIT changed();
}

} // namespace holdfast::bridge
