// One call of the program: what was asked, where to answer, which database.
#pragma once

#include "app/ctl/arguments.h"
#include "app/ctl/database.h"
#include "app/ctl/output.h"

#include <functional>
#include <optional>

namespace holdfast::ctl
{

class Invocation
{
public:
    Invocation(const Subcommand &subcommand, Arguments arguments, const Output &output)
        : out(output), m_subcommand(subcommand), m_arguments(std::move(arguments))
    {
    }

    const Output &out;

    const QStringList &positionals() const { return m_arguments.positionals; }
    QString positional(int i) const { return m_arguments.positionals.value(i); }
    const QStringList &rest() const { return m_arguments.rest; }
    bool has(const QString &name) const { return m_arguments.has(name); }
    QString option(const QString &name) const { return m_arguments.options.value(name); }
    QString url() const { return databaseUrl(option(QStringLiteral("db"))); }

    int usage(const QString &error) const { return out.usage(error, usageLine(&m_subcommand)); }
    // Nothing: the option is absent. An error is a usage error.
    std::optional<model::Result<qint64>> integer(const QString &name) const;
    // Copies options that are given into arguments, as text.
    void copyTexts(QJsonObject &arguments, const QStringList &names) const;

    using Text = std::function<QString(const QJsonValue &)>;
    // Asks and prints; exit 1 with the reason where it was refused.
    int ask(const QString &name, const QJsonObject &arguments, const Text &text) const;
    // A command on a run: asks, has it applied, and says how far it got.
    int act(const QString &name, const QJsonObject &arguments) const;

private:
    const Subcommand &m_subcommand;
    const Arguments m_arguments;
};

// Reads JSON from the argument itself, from @FILE, or from standard input for "-".
model::Result<QJsonValue> readJsonArgument(const QString &argument);

// Every subcommand; one function per file that defines some.
QVector<Subcommand> definitionCommands();
QVector<Subcommand> startCommands();
QVector<Subcommand> workerCommands();
QVector<Subcommand> runCommands();
QVector<Subcommand> reviewCommands();
QVector<Subcommand> actCommands();
QVector<Subcommand> pauseCommands();
QVector<Subcommand> batchCommands();
QVector<Subcommand> groupCommands();
QVector<Subcommand> alertCommands();
QVector<Subcommand> lookupCommands();
QVector<Subcommand> archiveCommands();
QVector<Subcommand> doctorCommands();
QVector<Subcommand> rebuildCommands();
QVector<Subcommand> reportCommands();
QVector<Subcommand> sandboxCommands();
QVector<Subcommand> adminCommands();
QVector<Subcommand> secretCommands();

} // namespace holdfast::ctl
