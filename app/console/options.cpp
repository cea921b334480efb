#include "app/console/options.h"

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
constexpr const char *names[] = {"--db",   "--workspace", "--page", "--theme",
                                 "--link", "--tour",      "--seed", "--report-pdf"};

model::Result<void> take(Options &options, const QString &name, const QString &value)
{
    if (name == "--db"_L1) {
        options.database = value;
    } else if (name == "--workspace"_L1) {
        if (value != "demo"_L1)
            return model::invalid(
                u"there is no workspace %1; --db opens any other database"_s.arg(value));
        options.workspace = value;
    } else if (name == "--page"_L1) {
        options.page = value;
    } else if (name == "--tour"_L1) {
        options.tourFolder = value;
    } else if (name == "--report-pdf"_L1) {
        options.reportFile = value;
    } else if (name == "--link"_L1) {
        if (!value.startsWith("holdfast://run/"_L1))
            return model::invalid(u"a link looks like holdfast://run/ID"_s);
        options.link = value;
    } else if (name == "--seed"_L1) {
        bool isNumber = false;
        options.seed = value.toULongLong(&isNumber);
        if (!isNumber)
            return model::invalid(u"--seed is a number"_s);
    } else {
        options.theme = style::themeNamed(value);
        if (!options.theme)
            return model::invalid(u"--theme is light or dark"_s);
    }
    return {};
}
} // namespace

QString helpText()
{
    return u"usage: holdfast [--db URL | --workspace demo] [--page PAGE] [--pause]\n"
           "                [--theme light|dark] [[--link] holdfast://run/ID] [--help]\n"
           "       holdfast --tour DIR [--seed N]\n"
           "       holdfast --report-pdf FILE\n"
           "\n"
           "Opens the console with its engine on a run database.\n"
           "\n"
           "  --db URL            sqlite:PATH, postgresql://user@host/database or archive:FILE,\n"
           "                      which is only read; without it\n"
           "                      HOLDFAST_DB, else what was connected to last, else the\n"
           "                      console's own file; a first start asks\n"
           "  --workspace demo    the demo: a database of its own with two past weeks and a\n"
           "                      sandbox that misbehaves\n"
           "  --page PAGE         overview, runs, review, batches, weekly, workflows,\n"
           "                      dependencies, ledger, pause or settings\n"
           "  --pause             opens with the question what to pause\n"
           "  --theme light|dark  how the window looks\n"
           "  --link LINK         opens the run of a copied link\n"
           "  --tour DIR          plays the demo, writes a picture of every page in both themes\n"
           "                      to DIR, and exits\n"
           "  --seed N            of the demo's story; the same seed tells the same one\n"
           "  --report-pdf FILE   draws the report that comes on standard input as JSON, and\n"
           "                      exits; no window, no database\n"
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
        if (name == "--pause"_L1) {
            options.isPauseWanted = true;
            continue;
        }
        // As a desktop hands over a link that was clicked.
        if (name.startsWith("holdfast:"_L1)) {
            if (const auto taken = take(options, u"--link"_s, name); !taken)
                return taken.error();
            continue;
        }
        const bool hasValue = name.indexOf(u'=') > 0;
        QString value = hasValue ? name.section(u'=', 1) : QString();
        name = name.section(u'=', 0, 0);
        if (std::find(std::begin(names), std::end(names), name) == std::end(names))
            return model::invalid(u"there is no option %1"_s.arg(name));
        if (!hasValue && i + 1 < arguments.size())
            value = arguments.at(++i);
        if (value.isEmpty())
            return model::invalid(u"%1 needs a value"_s.arg(name));
        if (const auto taken = take(options, name, value); !taken)
            return taken.error();
    }
    return options;
}

} // namespace holdfast::console
