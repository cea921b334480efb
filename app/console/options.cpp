#include "app/console/options.h"

namespace holdfast::console
{

using namespace Qt::StringLiterals;

QString helpText()
{
    return u"usage: holdfast [--db URL] [--theme light|dark] [--tour DIR] [--help]\n"
           "\n"
           "Opens the console with its engine on a run database.\n"
           "\n"
           "  --db URL            sqlite:PATH or postgresql://user@host/database; without it\n"
           "                      HOLDFAST_DB, else the console's own file\n"
           "  --theme light|dark  how the window looks\n"
           "  --tour DIR          plays the samples against the sandbox in a database of its own,\n"
           "                      writes pictures of the window to DIR, and exits\n"
           "  --help              this text\n"_s;
}

model::Result<Options> parseOptions(const QStringList &arguments)
{
    Options options;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString name = arguments.at(i);
        if (name == "--help"_L1 || name == "-h"_L1) {
            options.isHelpWanted = true;
            continue;
        }
        QString value;
        if (const qsizetype equals = name.indexOf(u'='); equals > 0) {
            value = name.mid(equals + 1);
            name.truncate(equals);
        } else if (i + 1 < arguments.size()) {
            value = arguments.at(++i);
        }
        const bool isKnown = name == "--db"_L1 || name == "--theme"_L1 || name == "--tour"_L1;
        if (!isKnown)
            return model::invalid(u"there is no option %1"_s.arg(name));
        if (value.isEmpty())
            return model::invalid(u"%1 needs a value"_s.arg(name));
        if (name == "--db"_L1) {
            options.database = value;
        } else if (name == "--tour"_L1) {
            options.tourFolder = value;
        } else if (const auto theme = shell::themeNamed(value)) {
            options.theme = *theme;
        } else {
            return model::invalid(u"--theme is light or dark"_s);
        }
    }
    return options;
}

} // namespace holdfast::console
