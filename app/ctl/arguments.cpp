#include "app/ctl/arguments.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
const Option *findOption(const QVector<Option> &options, const QString &name)
{
    for (const Option &option : options) {
        if (option.name == name)
            return &option;
    }
    return nullptr;
}

const Option *findAny(const Subcommand *subcommand, const QString &name)
{
    if (const Option *option = findOption(globalOptions(), name))
        return option;
    return subcommand ? findOption(subcommand->options, name) : nullptr;
}

// One option with its value, taken from the line at `i`.
void takeOption(Arguments &arguments, const QStringList &line, qsizetype &i,
                const Subcommand *subcommand)
{
    const QString word = line.at(i);
    const qsizetype equals = word.indexOf(u'=');
    QString name =
        word.startsWith("--"_L1) ? word.mid(2, equals < 0 ? -1 : equals - 2) : word.mid(1);
    if (word == "-h"_L1)
        name = u"help"_s;
    if (word == "-o"_L1)
        name = u"output"_s;
    const Option *option = findAny(subcommand, name);
    if (!option) {
        arguments.error = u"unknown option %1"_s.arg(word);
        return;
    }
    if (arguments.has(name)) {
        arguments.error = u"--%1 is given twice"_s.arg(name);
        return;
    }
    if (option->value.isEmpty()) {
        if (equals >= 0)
            arguments.error = u"--%1 takes no value"_s.arg(name);
        arguments.options.insert(name, QString());
        return;
    }
    if (equals >= 0) {
        arguments.options.insert(name, word.mid(equals + 1));
        return;
    }
    if (i + 1 >= line.size() || line.at(i + 1).startsWith("--"_L1)) {
        arguments.error = u"--%1 needs a value: %2"_s.arg(name, option->value);
        return;
    }
    arguments.options.insert(name, line.at(++i));
}

void checkCount(Arguments &arguments, const Subcommand &subcommand)
{
    if (arguments.has(u"help"_s) || !arguments.error.isEmpty())
        return;
    if (arguments.positionals.size() < subcommand.positionalsMin)
        arguments.error = u"%1 needs more arguments"_s.arg(subcommand.name);
    else if (arguments.positionals.size() > subcommand.positionalsMax)
        arguments.error =
            u"unexpected argument %1"_s.arg(arguments.positionals.at(subcommand.positionalsMax));
}
} // namespace

const QVector<Option> &globalOptions()
{
    static const QVector<Option> options{
        {u"db"_s, u"URL"_s, u"sqlite:PATH, postgresql://user@host/database or archive:FILE"_s},
        {u"json"_s, {}, u"print one JSON document on stdout"_s},
        {u"help"_s, {}, u"say how it is used"_s}};
    return options;
}

const Subcommand *findSubcommand(const QVector<Subcommand> &known, const QString &name)
{
    for (const Subcommand &subcommand : known) {
        if (subcommand.name == name)
            return &subcommand;
    }
    return nullptr;
}

Arguments parseArguments(const QStringList &line, const QVector<Subcommand> &known)
{
    Arguments arguments;
    const Subcommand *subcommand = nullptr;
    bool onlyPositionals = false;
    for (qsizetype i = 0; i < line.size() && arguments.error.isEmpty(); ++i) {
        const QString &word = line.at(i);
        // A dash alone means standard input and is a value, not an option.
        if (!onlyPositionals && word == "--"_L1) {
            onlyPositionals = true;
        } else if (!onlyPositionals && word.size() > 1 && word.startsWith(u'-')) {
            takeOption(arguments, line, i, subcommand);
        } else if (!subcommand) {
            subcommand = findSubcommand(known, word);
            arguments.subcommand = word;
            if (!subcommand)
                arguments.error = u"unknown command %1"_s.arg(word);
            else if (subcommand->takesEverything) {
                arguments.rest = line.mid(i + 1);
                return arguments;
            }
        } else {
            arguments.positionals.append(word);
        }
    }
    if (subcommand)
        checkCount(arguments, *subcommand);
    else if (arguments.error.isEmpty() && !arguments.has(u"help"_s))
        arguments.error = u"a command is missing"_s;
    return arguments;
}

QString usageLine(const Subcommand *subcommand)
{
    return u"usage: holdfastctl [--db URL] [--json] %1"_s.arg(subcommand ? subcommand->usage
                                                                         : u"COMMAND …"_s);
}

QString helpText(const Subcommand &subcommand)
{
    QString text = u"%1\n\n%2\n\nOptions:\n"_s.arg(usageLine(&subcommand), subcommand.about);
    for (const QVector<Option> &options : {subcommand.options, globalOptions()}) {
        for (const Option &option : options) {
            const QString left =
                u"--%1 %2"_s.arg(option.name, option.value).trimmed().leftJustified(24);
            text += u"  %1 %2\n"_s.arg(left, option.help);
        }
    }
    text += u"\nExit codes: 0 done, 1 refused or failed (says why), 2 usage, 3 something waits for "
            "a person.\n"_s;
    if (!subcommand.example.isEmpty())
        text += u"\nExample:\n  holdfastctl %1\n"_s.arg(subcommand.example);
    return text;
}

QString helpText(const QVector<Subcommand> &known)
{
    QString text = u"%1\n\nCommands:\n"_s.arg(usageLine(nullptr));
    for (const Subcommand &subcommand : known)
        text += u"  %1 %2\n"_s.arg(subcommand.name.leftJustified(14),
                                   subcommand.about.section(u'.', 0, 0));
    text += u"\nThe database is --db, else HOLDFAST_DB, else the console's own file.\n"
            "`holdfastctl COMMAND --help` says more. Exit codes: 0 done, 1 refused or failed,\n"
            "2 usage, 3 something waits for a person.\n"_s;
    return text;
}

} // namespace holdfast::ctl
