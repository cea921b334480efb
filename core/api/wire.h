// What travels over the local socket: one JSON object per line, at most lineMax bytes.
//   to the owner:   {"id","name","arguments","actor"}
//   from the owner: {"id","value"} or {"id","error":{"kind","message"}}
#pragma once

#include "control/door.h"

#include <QByteArray>

namespace holdfast::api
{

constexpr qint64 lineMax = 8 << 20;      // of a request: a batch names each of its items
constexpr qint64 answerMax = 64ll << 20; // of an answer: a page of runs, a whole journal

QByteArray requestLine(const control::Request &request);
model::Result<control::Request> readRequest(const QByteArray &line);

QByteArray answerLine(const QString &id, const model::Result<QJsonValue> &answer);
// The error of an answer that cannot be read is `lost`: nobody knows what became of the request.
model::Result<QJsonValue> readAnswer(const QByteArray &line, const QString &id);

} // namespace holdfast::api
