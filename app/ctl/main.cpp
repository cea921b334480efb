// holdfastctl: the engine without a window. Parses the line, finds the subcommand, and hands over.
#include "app/ctl/invocation.h"

#include <QCoreApplication>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace holdfast::ctl;

namespace
{
QVector<Subcommand> allSubcommands()
{
    return definitionCommands() + startCommands() + workerCommands() + runCommands() +
           reviewCommands() + actCommands() + batchCommands() + groupCommands() + pauseCommands() +
           alertCommands() + lookupCommands() + reportCommands() + doctorCommands() +
           rebuildCommands() + archiveCommands() + adminCommands() + secretCommands() +
           sandboxCommands();
}

QJsonValue helpDocument(const QString &text) { return QJsonObject{{u"help"_s, text}}; }
} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"holdfastctl"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(HOLDFAST_VERSION));
    std::signal(SIGPIPE, SIG_IGN);

    const QVector<Subcommand> subcommands = allSubcommands();
    const Arguments arguments = parseArguments(QCoreApplication::arguments().mid(1), subcommands);
    // Also where the line has a mistake: whoever asked for JSON can read nothing else.
    const Output output(
        arguments.has(u"json"_s) ||
        (!arguments.error.isEmpty() && QCoreApplication::arguments().contains(u"--json"_s)));
    const Subcommand *subcommand = findSubcommand(subcommands, arguments.subcommand);
    if (!arguments.error.isEmpty())
        return output.usage(arguments.error, usageLine(subcommand));
    if (arguments.has(u"help"_s)) {
        const QString text = subcommand ? helpText(*subcommand) : helpText(subcommands);
        output.print(helpDocument(text), text);
        return exitDone;
    }
    Invocation invocation(*subcommand, arguments, output);
    return subcommand->run(invocation);
}
