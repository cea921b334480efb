#include "store/statements.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

// A static library drops its resources unless someone asks; this must stand outside any namespace.
static void initStoreResources() { Q_INIT_RESOURCE(store); }

namespace holdfast::store
{

namespace
{
QString contentOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("SQL resource %s is missing from this build", qPrintable(path));
    return QString::fromUtf8(file.readAll());
}
} // namespace

const Statements &Statements::of(Dialect dialect)
{
    if (dialect == Dialect::sqlite) {
        static const Statements sqlite(Dialect::sqlite);
        return sqlite;
    }
    static const Statements postgres(Dialect::postgres);
    return postgres;
}

const QString &Statements::text(QLatin1String name) const
{
    const auto found = m_texts.constFind(QString(name));
    if (found == m_texts.constEnd())
        qFatal("no SQL statement is named %s", name.data());
    return *found;
}

Statements::Statements(Dialect dialect)
{
    initStoreResources();
    const QString folder = dialect == Dialect::sqlite ? QStringLiteral(":/holdfast/sql/sqlite")
                                                      : QStringLiteral(":/holdfast/sql/postgres");
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.sql")}, QDir::Files);
    for (const QString &file : files) {
        if (file == QLatin1String("schema.sql"))
            m_schema = split(withoutComments(contentOf(folder + u'/' + file)));
        else
            addFile(folder + u'/' + file);
    }
    expandFragments();
    guardStatements();
    const QString migrations = folder + QStringLiteral("/migrations");
    const QStringList numbered =
        QDir(migrations).entryList({QStringLiteral("*.sql")}, QDir::Files, QDir::Name);
    for (const QString &file : numbered) {
        m_migrations.append({file.left(4).toInt(), file.mid(5).chopped(4),
                             split(withoutComments(contentOf(migrations + u'/' + file)))});
    }
    if (m_migrations.isEmpty())
        qFatal("this build carries no migrations for %s", qPrintable(folder));
}

void Statements::addFile(const QString &path)
{
    static const QRegularExpression header(
        QStringLiteral("^-- (name|fragment): ([a-z0-9_]+)[ \\t]*$"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression roles(QStringLiteral("^-- for: ([a-z ]+)$"),
                                          QRegularExpression::MultilineOption);
    static const QRegularExpression returns(QStringLiteral("^-- returns: (.+)$"),
                                            QRegularExpression::MultilineOption);
    const QString content = contentOf(path);
    auto match = header.globalMatch(content);
    while (match.hasNext()) {
        const QRegularExpressionMatch current = match.next();
        const qsizetype from = current.capturedEnd();
        const qsizetype to = match.hasNext() ? match.peekNext().capturedStart() : content.size();
        const QString part = content.mid(from, to - from);
        const QString body = withoutComments(part).trimmed();
        if (const auto guard = roles.match(part); guard.hasMatch()) {
            m_guards.insert(current.captured(2),
                            {guard.captured(1).split(u' '), returns.match(part).captured(1)});
        }
        QHash<QString, QString> &target =
            current.captured(1) == QLatin1String("name") ? m_texts : m_fragments;
        if (target.contains(current.captured(2)))
            qFatal("two SQL statements are named %s", qPrintable(current.captured(2)));
        target.insert(current.captured(2), body);
    }
}

void Statements::expandFragments()
{
    // A fragment may stand in a fragment, no deeper.
    const QHash<QString, QString> plain = m_fragments;
    for (QString &text : m_fragments) {
        for (auto inner = plain.cbegin(); inner != plain.cend(); ++inner)
            text.replace(u'{' + inner.key() + u'}', inner.value());
    }
    for (QString &text : m_texts) {
        for (auto fragment = m_fragments.cbegin(); fragment != m_fragments.cend(); ++fragment)
            text.replace(u'{' + fragment.key() + u'}', fragment.value());
    }
}

void Statements::guardStatements()
{
    const auto fragment = [this](const char *name) {
        return m_fragments.value(QLatin1String(name));
    };
    const GuardTemplates templates{fragment("guarded_call"), fragment("guarded_change"),
                                   fragment("guarded_query")};
    for (auto guard = m_guards.cbegin(); guard != m_guards.cend(); ++guard) {
        const GuardedStatement made(guard.key(), m_texts.value(guard.key()), guard->roles,
                                    guard->returns, templates);
        if (guard->roles.contains(QLatin1String("nobody")))
            m_texts.remove(guard.key());
        else
            m_texts.insert(guard.key(), made.call());
        m_guarded.insert(guard.key(), made);
    }
}

QString Statements::withoutComments(const QString &sql)
{
    QString result;
    result.reserve(sql.size());
    bool quoted = false;
    for (qsizetype i = 0; i < sql.size(); ++i) {
        if (sql.at(i) == u'\'')
            quoted = !quoted;
        if (!quoted && sql.at(i) == u'-' && i + 1 < sql.size() && sql.at(i + 1) == u'-') {
            while (i < sql.size() && sql.at(i) != u'\n')
                ++i;
            if (i == sql.size())
                break;
        }
        result += sql.at(i);
    }
    return result;
}

QStringList Statements::split(const QString &sql)
{
    QStringList statements;
    QString current;
    bool quoted = false;
    bool dollar = false;
    for (qsizetype i = 0; i < sql.size(); ++i) {
        const QChar c = sql.at(i);
        if (!dollar && c == u'\'')
            quoted = !quoted;
        if (!quoted && c == u'$' && i + 1 < sql.size() && sql.at(i + 1) == u'$') {
            dollar = !dollar;
            current += QLatin1String("$$");
            ++i;
            continue;
        }
        if (c == u';' && !quoted && !dollar) {
            if (!current.trimmed().isEmpty())
                statements.append(current.trimmed());
            current.clear();
            continue;
        }
        current += c;
    }
    if (!current.trimmed().isEmpty())
        statements.append(current.trimmed());
    return statements;
}

} // namespace holdfast::store
