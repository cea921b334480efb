#include "app/sandbox/message.h"

#include <QJsonDocument>
#include <utility>

namespace holdfast::sandbox
{

namespace
{

QByteArray reasonOf(int status)
{
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 302: return "Found";
    case 429: return "Too Many Requests";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Status";
    }
}

QString keyOf(const Incoming &incoming)
{
    QString key = incoming.header("Idempotency-Key");
    if (key.size() >= 2 && key.startsWith(u'"') && key.endsWith(u'"'))
        key = key.mid(1, key.size() - 2);
    if (!key.isEmpty())
        return key;
    const QJsonObject body = QJsonDocument::fromJson(incoming.body).object();
    key = body.value(QLatin1String("key")).toString();
    return key.isEmpty() ? body.value(QLatin1String("ref")).toString() : key;
}

} // namespace

QString Incoming::header(const char *name) const
{
    const QLatin1String wanted(name);
    for (const auto &[candidate, value] : headers) {
        if (candidate.compare(wanted, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

bool Incoming::wantsClose() const
{
    return header("Connection").compare(QLatin1String("close"), Qt::CaseInsensitive) == 0;
}

Reply Reply::json(int status, const QJsonObject &object)
{
    Reply reply;
    reply.status = status;
    reply.body = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return reply;
}

Reply Reply::problem(int status, const QString &text) { return json(status, {{"error", text}}); }

QByteArray Reply::head(qsizetype contentLength) const
{
    QByteArray text = "HTTP/1.1 " + QByteArray::number(status) + ' ' + reasonOf(status) + "\r\n";
    text += "Content-Type: " + contentType + "\r\n";
    text += "Content-Length: " + QByteArray::number(contentLength) + "\r\n";
    for (const auto &[name, value] : headers)
        text += name + ": " + value + "\r\n";
    return text + "\r\n";
}

RequestReader::State RequestReader::read()
{
    if (m_bodySize < 0) {
        const State state = readHead();
        if (state != State::ready)
            return state;
    }
    if (m_buffer.size() < m_bodySize)
        return State::more;
    m_incoming.body = m_buffer.left(m_bodySize);
    m_buffer.remove(0, m_bodySize);
    m_incoming.key = keyOf(m_incoming);
    return State::ready;
}

Incoming RequestReader::take()
{
    m_bodySize = -1;
    return std::exchange(m_incoming, {});
}

RequestReader::State RequestReader::readHead()
{
    const qsizetype end = m_buffer.indexOf("\r\n\r\n");
    if (end > headMax || (end < 0 && m_buffer.size() > headMax))
        return bad(431, "The headers are too large.");
    if (end < 0)
        return State::more;
    const QByteArrayList lines = m_buffer.left(end).replace("\r\n", "\n").split('\n');
    m_buffer.remove(0, end + 4);
    const QByteArrayList start = lines.first().split(' ');
    if (start.size() != 3 || !start.at(1).startsWith('/') || !start.at(2).startsWith("HTTP/1."))
        return bad(400, "The request line is not one.");
    m_incoming.method = QString::fromLatin1(start.at(0));
    m_incoming.target = QString::fromUtf8(start.at(1));
    m_incoming.path = m_incoming.target.section(u'?', 0, 0);
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const qsizetype colon = lines.at(i).indexOf(':');
        if (colon <= 0)
            return bad(400, "A header line is not one.");
        m_incoming.headers.append({QString::fromUtf8(lines.at(i).left(colon)),
                                   QString::fromUtf8(lines.at(i).mid(colon + 1).trimmed())});
    }
    if (!m_incoming.header("Transfer-Encoding").isEmpty())
        return bad(411, "Only bodies of a stated length are taken.");
    const QString length = m_incoming.header("Content-Length");
    bool isNumber = length.isEmpty();
    m_bodySize = length.isEmpty() ? 0 : length.toLongLong(&isNumber);
    if (!isNumber || m_bodySize < 0)
        return bad(400, "The length is not a number.");
    return m_bodySize > bodyMax ? bad(413, "The body is too large.") : State::ready;
}

RequestReader::State RequestReader::bad(int status, const char *text)
{
    m_problem = Reply::problem(status, QLatin1String(text));
    return State::bad;
}

} // namespace holdfast::sandbox
