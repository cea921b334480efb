#include "app/console/blind_client.h"

#include "model/json.h"

#include <curl/curl.h>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int attemptsMax = 4;
constexpr long timeoutMs = 700;
constexpr std::size_t queueMax = 2000;

std::size_t discard(char *, std::size_t size, std::size_t count, void *) { return size * count; }

int isEnding(void *flag, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return *static_cast<std::atomic<bool> *>(flag) ? 1 : 0;
}
} // namespace

BlindClient::BlindClient(const QString &origin) : m_origin(origin) { start(); }

BlindClient::~BlindClient()
{
    m_isEnding = true;
    m_wake.notify_one();
    wait();
}

void BlindClient::order(const QJsonObject &input)
{
    const QString id = input.value("order_id"_L1).toString();
    const QByteArray body = model::compactJson(QJsonObject{{u"order"_s, id}});
    add({{u"/inventory/v1/reservations"_s, u"reserve:"_s + id, body},
         {u"/payments/v1/charges"_s, u"charge:"_s + id, body},
         {u"/inventory/v1/shipments"_s, u"ship:"_s + id, body}});
}

void BlindClient::invoice(const QJsonObject &input)
{
    const QString id = input.value("order_id"_L1).toString();
    const QByteArray body = model::compactJson(QJsonObject{{u"order"_s, id}});
    add({{u"/payments/v1/invoices"_s, u"invoice:"_s + id, body},
         {u"/mail/v1/messages"_s, u"mail:"_s + id, body}});
}

void BlindClient::add(const QVector<Write> &writes)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_writes.size() + std::size_t(writes.size()) > queueMax)
            return;
        m_writes.insert(m_writes.end(), writes.cbegin(), writes.cend());
    }
    m_wake.notify_one();
}

void BlindClient::run()
{
    while (true) {
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [this] { return m_isEnding || !m_writes.empty(); });
        if (m_isEnding)
            return;
        const Write write = m_writes.front();
        m_writes.pop_front();
        lock.unlock();
        for (int attempt = 1; attempt <= attemptsMax && !m_isEnding; ++attempt) {
            if (sendOnce(write, attempt))
                break;
        }
    }
}

// True: there was an answer that a naive client takes for an end of the matter.
bool BlindClient::sendOnce(const Write &write, int attempt)
{
    CURL *curl = curl_easy_init();
    const QByteArray url = (m_origin + write.path).toUtf8();
    const QByteArray key = u"Idempotency-Key: %1#%2"_s.arg(write.key).arg(attempt).toUtf8();
    curl_slist *headers = curl_slist_append(nullptr, key.constData());
    headers = curl_slist_append(headers, "Content-Type: application/json");
    curl_easy_setopt(curl, CURLOPT_URL, url.constData());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, write.body.constData());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, long(write.body.size()));
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeoutMs);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, isEnding);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &m_isEnding);
    const CURLcode code = curl_easy_perform(curl);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return code == CURLE_OK && status < 500 && status != 429;
}

} // namespace holdfast::console
