// What happens without Holdfast: a client that does the same business against a twin of the
// sandbox and, when a reply is lost, simply sends again under a fresh key. It runs for real, so the
// number of duplicates beside the demo's is a fact and not a claim.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QThread>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace holdfast::console
{

class BlindClient : public QThread
{
    Q_OBJECT
public:
    explicit BlindClient(const QString &origin);
    ~BlindClient() override;

    // The writes one order or invoice needs, in a row. Any thread.
    void order(const QJsonObject &input);
    void invoice(const QJsonObject &input);

protected:
    void run() override;

private:
    struct Write {
        QString path;
        QString key;
        QByteArray body;
    };
    void add(const QVector<Write> &writes);
    bool sendOnce(const Write &write, int attempt);

    const QString m_origin;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Write> m_writes;
    std::atomic<bool> m_isEnding = false;
};

} // namespace holdfast::console
