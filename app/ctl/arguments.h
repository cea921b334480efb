// The command line, read strictly: options may stand before or after, an unknown one is an error, a
// missing value is an error. Nothing is guessed.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::ctl
{

struct Option {
    QString name;  // without the dashes
    QString value; // what it takes, in capitals; empty: nothing
    QString help;
};

class Invocation;

struct Subcommand {
    QString name;
    QString usage; // without the program's name
    QString about;
    QVector<Option> options;
    int positionalsMin = 0;
    int positionalsMax = 0;
    QString example;
    int (*run)(Invocation &) = nullptr;
    bool takesEverything = false; // its own parser reads what follows
};

struct Arguments {
    QString subcommand;
    QStringList positionals;
    QMap<QString, QString> options; // flags have an empty value
    QStringList rest;               // for a subcommand that takes everything
    QString error;                  // not empty: what is wrong with the command line

    bool has(const QString &name) const { return options.contains(name); }
};

const QVector<Option> &globalOptions();
// Finds the subcommand among `known`; `error` is set where the line cannot be understood.
Arguments parseArguments(const QStringList &line, const QVector<Subcommand> &known);
const Subcommand *findSubcommand(const QVector<Subcommand> &known, const QString &name);

QString usageLine(const Subcommand *subcommand);
QString helpText(const Subcommand &subcommand);
QString helpText(const QVector<Subcommand> &known);

} // namespace holdfast::ctl
