// Where a call may go. The origin is what a dependency file says, read strictly; the address is
// what the name resolved to, judged when the socket is opened, so that a name that changes its mind
// between a check and a connect gains nothing. Pure functions, any thread.
#pragma once

#include "model/result.h"

#include <QByteArray>
#include <QString>

struct sockaddr;

namespace holdfast::actions
{

enum class AddressKind {
    publicNetwork,
    loopback,
    privateNetwork, // private, link-local, shared, documentation, mapped and tunnelled forms
    unusable,       // unspecified, multicast, broadcast, reserved: nobody's service lives there
};

AddressKind addressKind(const sockaddr *address);
// The same for a textual address, as libcurl names its peer. Unreadable text is unusable.
AddressKind addressKind(const QByteArray &text);

struct Origin {
    QByteArray url; // scheme://host[:port], nothing after it
    QByteArray host;
    bool isLoopbackLiteral = false; // 127.0.0.0/8, ::1 or localhost, spelled out
};

// Only http and https, no user, path, query or fragment, ASCII names, and numeric addresses in
// their usual spelling: 0x7f.1 and 2130706433 are refused rather than understood.
model::Result<Origin> parseOrigin(const QString &url);

// A loopback literal permits loopback and nothing else; allow_private permits every usable address.
struct AddressRule {
    bool allowLoopback = false;
    bool allowPrivate = false;

    bool allows(AddressKind kind) const;
};

} // namespace holdfast::actions
