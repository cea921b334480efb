// secret: values of dependencies in the keychain. A value comes from standard input or from a
// person who types it unseen, never from the command line, which others can read; it is never
// printed.
#include "actions/secrets.h"
#include "app/ctl/invocation.h"
#include "app/ctl/keychain_secrets.h"

#include <QFile>
#include <algorithm>
#include <cstdio>
#include <termios.h>
#include <unistd.h>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr qsizetype secretSizeMax = 8 * 1024;

// The terminal does not show what is typed while one of these lives.
class Unseen
{
public:
    Unseen()
    {
        if (::tcgetattr(STDIN_FILENO, &m_before) != 0)
            return;
        termios quiet = m_before;
        quiet.c_lflag &= ~tcflag_t(ECHO);
        m_isQuiet = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
    }
    ~Unseen()
    {
        if (m_isQuiet)
            ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
    }
    Q_DISABLE_COPY_MOVE(Unseen)
    bool isQuiet() const { return m_isQuiet; }

private:
    termios m_before{};
    bool m_isQuiet = false;
};

Result<QByteArray> typedValue(const QString &name)
{
    const Unseen unseen;
    if (!unseen.isQuiet())
        return model::refused(
            u"the terminal would show what is typed; give the value on standard input instead"_s);
    std::fputs(qPrintable(u"Value of %1 (not shown): "_s.arg(name)), stderr);
    QByteArray line(secretSizeMax + 2, '\0');
    const bool isRead = std::fgets(line.data(), int(line.size()), stdin) != nullptr;
    std::fputs("\n", stderr);
    line.truncate(isRead ? qsizetype(qstrlen(line.constData())) : 0);
    return line;
}

// What a header can carry, so that a mistake shows here and not when the first call fails.
Result<QByteArray> givenValue(const QString &name)
{
    QByteArray value;
    if (::isatty(STDIN_FILENO) != 0) {
        const auto typed = typedValue(name);
        if (!typed)
            return typed;
        value = *typed;
    } else {
        QFile input;
        if (!input.open(stdin, QIODevice::ReadOnly))
            return model::refused(u"standard input cannot be read"_s);
        value = input.read(secretSizeMax + 2);
    }
    if (value.endsWith('\n'))
        value.chop(value.endsWith("\r\n") ? 2 : 1);
    if (value.isEmpty())
        return model::invalid(u"the value is empty; nothing was kept"_s);
    if (value.size() > secretSizeMax)
        return model::invalid(u"the value is longer than 8 KiB; nothing was kept"_s);
    if (std::any_of(value.begin(), value.end(), [](char c) { return uchar(c) < 0x20; }))
        return model::invalid(
            u"the value holds a line break or another control character; nothing was kept"_s);
    return value;
}

bool isSecretName(const QString &name)
{
    return !name.isEmpty() && name.size() <= 128 &&
           std::all_of(name.begin(), name.end(), [](QChar c) {
               return c.unicode() < 128 && (c.isLetterOrNumber() || c == u'_');
           });
}

int setSecret(const Invocation &invocation, const QString &name)
{
    const auto value = givenValue(name);
    if (!value)
        return invocation.out.fail(value.error());
    KeychainSecrets keychain(KeychainSecrets::attended);
    if (const auto kept = keychain.keep(name, *value); !kept)
        return invocation.out.fail(kept.error());
    const QStringList before = actions::Secrets::namesInEnvironment();
    if (before.contains(name))
        invocation.out.message(
            u"HOLDFAST_SECRET_%1 is set in this environment and comes before the keychain"_s.arg(
                name));
    invocation.out.print(QJsonObject{{u"name"_s, name}, {u"place"_s, u"keychain"_s}},
                         u"%1 is in the keychain"_s.arg(name));
    return exitDone;
}

int removeSecret(const Invocation &invocation, const QString &name)
{
    KeychainSecrets keychain(KeychainSecrets::attended);
    if (const auto gone = keychain.forget(name); !gone)
        return invocation.out.fail(gone.error());
    invocation.out.print(QJsonObject{{u"name"_s, name}, {u"removed"_s, true}},
                         u"%1 is no longer in the keychain"_s.arg(name));
    return exitDone;
}

void append(QJsonArray &list, const QStringList &names, const QString &place)
{
    for (const QString &name : names)
        list.append(QJsonObject{{u"name"_s, name}, {u"place"_s, place}});
}

// In the order in which they are looked up. A place that cannot be read is said, and the others are
// listed all the same.
int listSecrets(const Invocation &invocation)
{
    QJsonArray list;
    QJsonArray problems;
    actions::Secrets secrets;
    append(list, actions::Secrets::namesInEnvironment(), u"environment"_s);
    if (const auto names = secrets.namesInFile())
        append(list, *names, secrets.file());
    else
        problems.append(names.error().message);
    KeychainSecrets keychain(KeychainSecrets::attended);
    if (const auto names = keychain.names())
        append(list, *names, u"keychain"_s);
    else
        problems.append(names.error().message);
    if (!invocation.out.isJson()) {
        for (const QJsonValue &problem : std::as_const(problems))
            invocation.out.message(problem.toString());
    }
    invocation.out.print(QJsonObject{{u"secrets"_s, list}, {u"problems"_s, problems}},
                         list.isEmpty() ? u"no secrets"_s : table(list, {u"name"_s, u"place"_s}));
    return exitDone;
}

int runSecret(Invocation &invocation)
{
    const QString word = invocation.positional(0);
    const bool isNamed = word == "set"_L1 || word == "remove"_L1;
    if (!isNamed && word != "list"_L1)
        return invocation.usage(u"secret knows set, list and remove"_s);
    if (invocation.positionals().size() != (isNamed ? 2 : 1)) {
        // Whoever gave a value here has shown it to everybody on this machine.
        return invocation.usage(isNamed ? u"secret %1 takes a name and nothing more; a value comes "
                                          "on standard input"_s.arg(word)
                                        : u"secret list takes nothing more"_s);
    }
    if (!isNamed)
        return listSecrets(invocation);
    const QString name = invocation.positional(1);
    if (!isSecretName(name))
        return invocation.usage(u"a secret's name has letters, digits and _ only"_s);
    return word == "set"_L1 ? setSecret(invocation, name) : removeSecret(invocation, name);
}
} // namespace

QVector<Subcommand> secretCommands()
{
    return {{u"secret"_s,
             u"secret set NAME | list | remove NAME"_s,
             u"Keeps values of secrets in the keychain of this user, where workers and the console "
             "of this user find them. The value is read from standard input, or typed unseen; "
             "list shows names and places only."_s,
             {},
             1,
             1000, // whatever stands behind the name may be a value and must not be repeated
             u"secret set PAYMENTS_TOKEN"_s,
             runSecret}};
}

} // namespace holdfast::ctl
