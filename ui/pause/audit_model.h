// The audit as a table, newest first: who did what to what, when and why.
#pragma once

#include "model/time.h"
#include "ui/widgets/rows_model.h"

#include <QJsonObject>
#include <QJsonValue>

namespace holdfast::pause
{

struct AuditLine {
    qint64 seq = 0;
    QString id; // the number as text
    QString chain;
    QString actor;
    QString action;
    QString subject;
    model::Instant at = model::never;
    QJsonValue body;
    QString hash;

    static AuditLine fromJson(const QJsonObject &json);
    const QString &rowId() const { return id; }
    bool operator==(const AuditLine &) const = default;
    QString reason() const;
    QJsonObject toJson() const;
};

class AuditModel : public widgets::RowsModel<AuditLine>
{
    Q_OBJECT
public:
    enum Column { number, at, actor, action, subject, reason, columnTotal };

    explicit AuditModel(QObject *parent = nullptr) : RowsModel(parent) {}

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
};

} // namespace holdfast::pause
