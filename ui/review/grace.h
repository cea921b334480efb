// The few seconds between a person's answer and its being sent. What calls the outside cannot be
// taken back afterwards, so it can be taken back before: until the time is up nothing has left this
// window, and when the window closes first, nothing ever does.
#pragma once

#include <QDeadlineTimer>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>
#include <optional>

namespace holdfast::review
{

// What a person has typed for an item and not sent.
struct Draft {
    QString receipt;
    QString reason;
};

struct Decision {
    QString reviewId;
    QString runId;
    QString answer;    // "It happened"
    QString what;      // "charge · invoice:c7:8841"
    QString operation; // of the door: resolve, approve, reject
    QJsonObject arguments;
    Draft draft; // given back when it is undone or refused
};

class Grace : public QObject
{
    Q_OBJECT
public:
    struct Pending {
        Decision decision;
        QDeadlineTimer until;
    };
    static constexpr int millisDefault = 8000;

    explicit Grace(QObject *parent = nullptr);

    void setMillis(int millis) { m_millis = millis; }
    int millis() const { return m_millis; }
    void add(const Decision &decision);
    // Takes the newest back, or that of an item.
    std::optional<Decision> undo(const QString &reviewId = {});

    const QVector<Pending> &pending() const { return m_pending; }
    bool holds(const QString &reviewId) const;
    static int secondsLeft(const Pending &pending);

Q_SIGNALS:
    void changed(); // one came, went, or is a second closer
    void due(const holdfast::review::Decision &decision);

private:
    void tick();

    int m_millis = millisDefault;
    QVector<Pending> m_pending; // in the order they were made
    QTimer m_timer;
};

} // namespace holdfast::review
