// A Door through the socket of the process that owns the database. Blocks the calling thread; for
// the command line, not for a window. After an error of kind `lost` the same request may be sent
// again, to whoever owns the database by then: its id makes sure that it acts once.
#pragma once

#include "control/door.h"
#include "model/time.h"

#include <QLocalSocket>

namespace holdfast::api
{

class RemoteDoor : public control::Door
{
public:
    explicit RemoteDoor(const QString &socketPath, model::Millis timeout = 30 * model::second);

    // `lost`: nobody listens there any more.
    model::Result<void> connectToOwner();
    model::Result<QJsonValue> call(const control::Request &request) override;

private:
    const QString m_path;
    const model::Millis m_timeout;
    QLocalSocket m_socket;
};

} // namespace holdfast::api
