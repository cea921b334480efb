#include "actions/outside.h"

namespace holdfast::actions
{

Outside::Outside(const ports::Clock &clock, DependencyLookup lookup,
                 std::shared_ptr<Secrets> secrets, HttpOptions options)
    : m_http(clock, std::move(lookup), secrets, std::move(options)), m_commands(clock, secrets)
{
}

void Outside::setReport(Report report)
{
    m_http.setReport(report);
    m_commands.setReport(std::move(report));
}

void Outside::send(const model::Call &call)
{
    if (call.request.isCommand())
        m_commands.send(call);
    else
        m_http.send(call);
}

void Outside::drain()
{
    m_http.drain();
    m_commands.drain();
}

} // namespace holdfast::actions
