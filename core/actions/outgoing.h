// Turns a call and its dependency into exactly what goes on the wire, or refuses it while nothing
// was sent. All checks are ours: the client library below is never trusted to stop a line break.
// Pure but for secrets.
#pragma once

#include "actions/address.h"
#include "actions/secrets.h"
#include "contract/definition.h"
#include "model/call.h"

#include <QByteArray>
#include <QVector>

namespace holdfast::actions
{

struct HeaderLine {
    QByteArray name;
    QByteArray value;
};

struct Outgoing {
    // Set when the call must not be made: an error name of CallResult, and why, in one sentence.
    QString error;
    QString detail;

    QByteArray url;
    QByteArray method;
    AddressRule addresses;
    QVector<HeaderLine> headers;

    bool isRefused() const { return !error.isEmpty(); }
};

constexpr qsizetype pathSizeMax = 8 * 1024;
constexpr qsizetype headerValueSizeMax = 16 * 1024;
constexpr int headerCountMax = 64;

Outgoing prepareOutgoing(const model::Call &call, const contract::Dependency &dependency,
                         Secrets &secrets);

bool isHeaderName(const QByteArray &name); // an RFC 9110 token
bool isHeaderValue(const QByteArray &value);
// Starts with a slash, holds only visible ASCII, whole escapes and no dot segments.
bool isRequestPath(const QString &path);

} // namespace holdfast::actions
