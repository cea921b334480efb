// The address of a dependency: an exact origin and nothing more, so that a workflow can add a path
// to it and never reach another host.
#pragma once

#include <QString>

namespace holdfast::contract
{

struct Origin {
    QString scheme;
    QString host;  // lower case; an IPv6 address without its brackets
    QString error; // empty: it is one

    bool isLoopback() const;
};

Origin parseOrigin(const QString &url);

} // namespace holdfast::contract
