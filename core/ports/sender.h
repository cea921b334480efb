// Whatever touches the outside. send() returns at once; the result is reported exactly once, on any
// thread.
#pragma once

#include "model/call.h"

#include <functional>

namespace holdfast::ports
{

class Sender
{
public:
    using Report = std::function<void(model::CallResult)>;

    virtual ~Sender() = default;
    virtual void setReport(Report report) = 0;
    virtual void send(const model::Call &call) = 0;
    // Stops accepting, lets what is under way end or time out. Reports still arrive.
    virtual void drain() = 0;
};

} // namespace holdfast::ports
