// What stands in the way of work right now: pauses in force and open breakers, one line each with
// the way to where it can be changed.
#pragma once

#include "model/time.h"

#include <QJsonObject>
#include <QWidget>

class QVBoxLayout;

namespace holdfast::overview
{

class GateLines : public QWidget
{
    Q_OBJECT
public:
    explicit GateLines(QWidget *parent = nullptr);

    void setMarks(const QJsonObject &marks, model::Instant now);

Q_SIGNALS:
    void wanted(const QString &page, const QJsonObject &where);

private:
    struct Line {
        QString shape;
        QString word;
        QString text;
        QString page;
        QJsonObject where;

        bool operator==(const Line &) const = default;
    };
    static QVector<Line> linesOf(const QJsonObject &marks, model::Instant now);
    void addLine(const Line &line);

    QVBoxLayout *m_column = nullptr;
    QVector<Line> m_lines;
};

} // namespace holdfast::overview
