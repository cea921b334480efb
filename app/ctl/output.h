// What the command line says: with --json exactly one document on stdout, else text for a person.
// Messages go to stderr. Text from data is made visible: control and direction characters never
// reach the terminal.
#pragma once

#include "model/result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

namespace holdfast::ctl
{

enum Exit { exitDone = 0, exitRefused = 1, exitUsage = 2, exitPerson = 3 };

class Output
{
public:
    explicit Output(bool json) : m_json(json) {}

    bool isJson() const { return m_json; }
    // The document, or its text. Called once per process.
    void print(const QJsonValue &document, const QString &text) const;
    void message(const QString &text) const;
    int fail(const model::Error &error) const;
    // A refusal with particulars, such as findings.
    int refuse(const QJsonObject &answer) const;
    int usage(const QString &error, const QString &usageLine) const;

private:
    const bool m_json;
};

// Escapes what a terminal would act on.
QString plain(const QString &text);
QString plain(const QJsonValue &value); // text as it is, null as a dash, else JSON

// Columns padded to the widest cell.
QString table(const QStringList &header, const QVector<QStringList> &rows);
// One row per object, one column per member named.
QString table(const QJsonArray &objects, const QStringList &members);
QString fields(const QJsonObject &object, const QStringList &members);

} // namespace holdfast::ctl
