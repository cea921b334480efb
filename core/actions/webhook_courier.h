// Carries alerts as signed webhooks, on a network thread of its own: whatever a receiver does, no
// turn waits for it. The signature is made right before the first byte leaves, with a new time for
// each try; the id and the bytes stay.
#pragma once

#include "actions/http_sender.h"
#include "ports/courier.h"

#include <QHash>

namespace holdfast::actions
{

constexpr model::Millis webhookTimeout = 15 * model::second;

class WebhookCourier : public ports::Courier
{
public:
    WebhookCourier(const ports::Clock &clock, std::shared_ptr<Secrets> secrets,
                   HttpOptions options = {}, model::Millis timeout = webhookTimeout);

    void send(const ports::Parcel &parcel) override;
    bool hasResults() const override;
    QVector<ports::ParcelResult> takeResults() override;
    int underWay() const override;
    void onResult(std::function<void()> told) override;

private:
    Outgoing prepared(const model::Call &call);
    void take(const model::CallResult &result);

    const ports::Clock &m_clock;
    const std::shared_ptr<Secrets> m_secrets;
    const model::Millis m_timeout;

    mutable std::mutex m_mutex; // guards the next three
    QHash<QString, ports::Parcel> m_parcels;
    QVector<ports::ParcelResult> m_results;
    std::function<void()> m_told;

    HttpSender m_http; // last: its thread uses the others
};

// The origin and the path of a target's address, or why it is none.
struct WebhookAddress {
    QString origin;
    QString path;
};
model::Result<WebhookAddress> parseWebhookAddress(const QString &url);

} // namespace holdfast::actions
