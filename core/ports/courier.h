// Whoever carries alerts to their targets. send() returns at once; what became of each is asked for
// later, on the thread that sends.
#pragma once

#include "ports/rows.h"

#include <functional>

namespace holdfast::ports
{

struct Parcel {
    AlertTargetRow target;
    QString event; // the alert's id: the same for every try
    int attempt = 0;
    QByteArray body;
};

struct ParcelResult {
    QString event;
    QString target;
    int attempt = 0;
    int status = 0; // 0: there was no answer
    QString error;  // for a person; empty: it was taken
    Millis retryAfter = -1;

    bool isDelivered() const { return status >= 200 && status < 300; }
};

class Courier
{
public:
    virtual ~Courier() = default;
    virtual void send(const Parcel &parcel) = 0;
    virtual bool hasResults() const = 0;
    virtual QVector<ParcelResult> takeResults() = 0;
    virtual int underWay() const = 0; // sent, and its result not taken yet
    // Called on any thread when there is a result.
    virtual void onResult(std::function<void()> told) = 0;
};

} // namespace holdfast::ports
