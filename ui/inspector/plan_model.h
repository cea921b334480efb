// A plan of compensation as a table, in the order it will be done: a verdict for each step, a box
// to leave one out, and what has become of it.
#pragma once

#include <QAbstractTableModel>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <QVector>

namespace holdfast::inspector
{

struct PlannedStep {
    QString step;
    QString verdict;
    QString why;
    QString problem; // the request could not be made out
    QString key;
    QJsonObject request;
    bool isChosen = false;
    QString now; // the step's status, once it has begun

    bool willCompensate() const { return verdict == QLatin1String("will_compensate"); }
};

class PlanModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { choice, step, verdict, why, now, columnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    void setPlan(const QJsonArray &plan);
    // The steps of the door's "show".
    void setSteps(const QJsonArray &steps);
    void setLocked(bool locked); // the choice is made
    const PlannedStep &planned(int row) const { return m_plan.at(row); }
    QStringList chosen() const;
    void toggle(int row);
    // Some steps must be verified before they can be compensated.
    bool needsVerify() const;
    // All that can be compensated is chosen, and nothing stands in the way of the rest.
    bool isWhole() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QString textOf(const PlannedStep &planned, int row, int column) const;

    QVector<PlannedStep> m_plan;
    bool m_isLocked = false;
};

} // namespace holdfast::inspector
