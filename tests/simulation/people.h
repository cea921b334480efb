// People at the door: they start runs, pause and resume anything, decide items with and without
// looking, send the same act twice, act on what is no longer so. When the faults have stopped they
// answer truthfully, out of the books.
#pragma once

#include "simulation/outside.h"
#include "simulation/stage.h"

#include <QJsonObject>

namespace holdfast::simulation
{

class People
{
public:
    explicit People(Scene &scene) : m_scene(scene) {}

    // One source event; the caller asks until it has an answer.
    void start(int number);
    // Something a person might click in the middle of it.
    void actSomehow(int desk);
    // The same to many at once.
    void planBatch(int desk);
    // Lifts, closes and answers everything that waits for a person.
    void settle();
    bool isAnythingOpen() const;

private:
    struct Plan {
        QString id;
        QString name;
        QJsonObject arguments;
        QString runId;
        QString item;
        QString step;
        QString verdict;
        model::Direction direction = model::Direction::forward;
    };
    enum class Answer { done, refused, unknown };

    Answer call(int desk, const Plan &plan);
    void tryStart(int desk, const QString &workflow, const QJsonObject &input);
    void again(int desk, const Plan &plan);
    void pauseSomething(int desk);
    void resumeSomething(int desk);
    void moveRamp(int desk);
    void moveBreaker(int desk);
    void actOnRun(int desk);
    void answerSomething(int desk);
    QJsonObject orderForRuns();
    QJsonObject orderForItems();
    void startBatch(int desk, const Plan &plan);
    void moveBatch(int desk, const QString &id, const QString &word);
    void settleBatches();
    bool isAnyBatchOpen() const;
    Plan answerTo(const ports::ReviewRow &item, bool looks);
    QString ambiguousVerdict(const ports::ReviewRow &item, bool looks);
    QString verdictFor(const QString &kind);
    QString newRequest();

    Scene &m_scene;
    int m_requests = 0;
};

} // namespace holdfast::simulation
