// The only door for people. Whatever the command line and the console do is a named operation with
// JSON in and JSON out, so that it can be done in this process or through the socket of the process
// that owns the database, and means the same. A Door decides nothing: the engine does.
#pragma once

#include "model/result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

namespace holdfast::control
{

struct Request {
    QString id; // a UUID chosen by the sender: sent twice, it acts once
    QString name;
    QJsonObject arguments;
    QString actor; // the login of the person

    QJsonObject toJson() const;
    static model::Result<Request> fromJson(const QJsonObject &object);
};

class Door
{
public:
    virtual ~Door() = default;
    // A value that holds "refused" is a refusal with particulars beside the sentence, such as
    // findings.
    virtual model::Result<QJsonValue> call(const Request &request) = 0;
};

} // namespace holdfast::control
