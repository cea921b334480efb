#include "actions/webhook_courier.h"

#include "actions/webhook_signature.h"
#include "ports/alert.h"

#include <algorithm>

namespace holdfast::actions
{

using namespace Qt::StringLiterals;

namespace
{
QString parcelName(const QString &event, const QString &target) { return event + u'\n' + target; }

Outgoing refusedParcel(const QString &error, const QString &detail)
{
    Outgoing outgoing;
    outgoing.error = error;
    outgoing.detail = detail;
    return outgoing;
}

// Nothing left, and another worker, or this one a little later, may well be able to send it.
bool isHeldBack(const model::CallResult &result)
{
    return result.error == "secret_missing"_L1 || result.error == "secret_unusable"_L1 ||
           result.error == "too_late"_L1 || result.error == "cancelled"_L1;
}

QString errorText(const model::CallResult &result)
{
    if (result.status >= 200 && result.status < 300)
        return {};
    const QString detail = result.detail.isEmpty() ? QString() : u": "_s + result.detail;
    if (!result.error.isEmpty())
        return result.error + detail;
    if (result.status >= 300 && result.status < 400)
        return u"answered %1: a redirect is not followed"_s.arg(result.status);
    return u"answered %1"_s.arg(result.status);
}
} // namespace

model::Result<WebhookAddress> parseWebhookAddress(const QString &url)
{
    const qsizetype scheme = url.indexOf("://"_L1);
    const qsizetype slash = scheme < 0 ? -1 : url.indexOf(u'/', scheme + 3);
    const WebhookAddress address{slash < 0 ? url : url.left(slash),
                                 slash < 0 ? u"/"_s : url.mid(slash)};
    if (const auto origin = parseOrigin(address.origin); !origin)
        return origin.error();
    if (!isRequestPath(address.path))
        return model::invalid(u"the path of %1 is none that can be sent"_s.arg(url));
    return address;
}

WebhookCourier::WebhookCourier(const ports::Clock &clock, std::shared_ptr<Secrets> secrets,
                               HttpOptions options, model::Millis timeout)
    : m_clock(clock), m_secrets(secrets), m_timeout(timeout),
      m_http(
          clock, [this](const model::Call &call) { return prepared(call); }, std::move(secrets),
          std::move(options))
{
    m_http.setReport([this](const model::CallResult &result) { take(result); });
}

void WebhookCourier::send(const ports::Parcel &parcel)
{
    {
        const std::lock_guard lock(m_mutex);
        m_parcels.insert(parcelName(parcel.event, parcel.target.name), parcel);
    }
    model::Call call;
    call.runId = parcel.event;
    call.step = parcel.target.name;
    call.attempt = parcel.attempt;
    call.effect = model::Effect::write; // sent at most once by each try
    call.request.method = u"POST"_s;
    call.request.body = parcel.body;
    call.timeout = m_timeout;
    m_http.send(call);
}

Outgoing WebhookCourier::prepared(const model::Call &call)
{
    ports::Parcel parcel;
    {
        const std::lock_guard lock(m_mutex);
        parcel = m_parcels.value(parcelName(call.runId, call.step));
    }
    const auto address = parseWebhookAddress(parcel.target.url);
    if (!address)
        return refusedParcel(u"address_forbidden"_s, address.error().message);
    const auto origin = parseOrigin(address->origin);
    const qint64 seconds = m_clock.now() / model::second;
    QByteArrayList signatures;
    for (const QString &name : parcel.target.secrets) {
        const auto secret = m_secrets->resolve(name);
        if (!secret)
            return refusedParcel(u"secret_missing"_s, secret.error().message);
        const auto key = webhookKey(*secret);
        if (!key)
            return refusedParcel(u"secret_unusable"_s, u"%1: %2"_s.arg(name, key.error().message));
        signatures << webhookSignature(*key, parcel.event.toUtf8(), seconds, parcel.body);
    }
    Outgoing out;
    out.url = origin->url + address->path.toLatin1();
    out.method = "POST";
    out.addresses = {origin->isLoopbackLiteral, parcel.target.allowPrivate};
    out.headers = {{"User-Agent", "holdfast/" HOLDFAST_VERSION},
                   {"Accept-Encoding", "identity"},
                   {"Content-Type", "application/cloudevents+json; charset=utf-8"},
                   {"webhook-id", parcel.event.toUtf8()},
                   {"webhook-timestamp", QByteArray::number(seconds)},
                   {"webhook-signature", signatures.join(' ')}};
    return out;
}

void WebhookCourier::take(const model::CallResult &result)
{
    std::function<void()> told;
    {
        const std::lock_guard lock(m_mutex);
        m_results.append({result.runId, result.step, result.attempt,
                          isHeldBack(result) ? ports::heldBack : std::max(result.status, 0),
                          errorText(result), result.retryAfter});
        told = m_told;
    }
    if (told)
        told();
}

bool WebhookCourier::hasResults() const
{
    const std::lock_guard lock(m_mutex);
    return !m_results.isEmpty();
}

QVector<ports::ParcelResult> WebhookCourier::takeResults()
{
    const std::lock_guard lock(m_mutex);
    for (const ports::ParcelResult &result : std::as_const(m_results))
        m_parcels.remove(parcelName(result.event, result.target));
    return std::exchange(m_results, {});
}

int WebhookCourier::underWay() const
{
    const std::lock_guard lock(m_mutex);
    return int(m_parcels.size());
}

void WebhookCourier::onResult(std::function<void()> told)
{
    const std::lock_guard lock(m_mutex);
    m_told = std::move(told);
}

} // namespace holdfast::actions
