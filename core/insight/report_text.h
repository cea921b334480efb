// Words and numbers of a report, the same in every form of it. Pure functions of the document.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::insight
{

// One table of a report: what it is about, and a sentence where there is nothing in it.
struct ReportTable {
    QString name; // of the section, for machines
    QString title;
    QString intro{}; // before the table; may be empty
    QStringList header{};
    QVector<QStringList> rows{};
    QString ifEmpty{};
    QVector<int> numbers{}; // columns that hold numbers
};

// All sections in their order. Every form of the report shows these and nothing else.
QVector<ReportTable> reportTables(const QJsonObject &report);

QString reportTitle(const QJsonObject &report);
// Under the title: which time, made when, and what is not in the figures.
QStringList reportNotes(const QJsonObject &report);
QString signoffText(const QJsonObject &report);

// A number of that unit for a person: 1,204 or 99.2 % or 4 m 10 s; a dash for none.
QString valueText(const QJsonValue &value, const QString &unit);
QString dayText(const QString &instant);  // 2026-11-16
QString timeText(const QString &instant); // 2026-11-16 02:36 UTC

} // namespace holdfast::insight
