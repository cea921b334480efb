#include "store/guarded_statement.h"

#include <QRegularExpression>

namespace holdfast::store
{

using namespace Qt::StringLiterals;

GuardedStatement::GuardedStatement(const QString &name, const QString &text,
                                   const QStringList &roles, const QString &returns,
                                   const GuardTemplates &templates)
    : m_name(name), m_roles(roles)
{
    if (text.startsWith("create or replace function"_L1))
        readFunction(text);
    else
        makeFunction(text, returns, templates);
    QStringList arguments;
    for (const QString &type : std::as_const(m_types))
        arguments.append(u"?::"_s + type);
    m_call = QString(templates.call)
                 .replace("{name}"_L1, m_name)
                 .replace("{arguments}"_L1, arguments.join(u", "));
}

void GuardedStatement::readFunction(const QString &text)
{
    static const QRegularExpression head(
        u"^create or replace function holdfast\\.([a-z_]+)\\(([^)]*)\\)"_s);
    const QRegularExpressionMatch match = head.match(text);
    if (match.captured(1) != m_name)
        qFatal("the function of the SQL statement %s has another name", qPrintable(m_name));
    const QStringList arguments = match.captured(2).split(u',', Qt::SkipEmptyParts);
    for (const QString &argument : arguments)
        m_types.append(argument.simplified().section(u' ', 1));
    m_definition = text;
}

void GuardedStatement::makeFunction(QString text, const QString &returns,
                                    const GuardTemplates &templates)
{
    static const QRegularExpression placeholder(u"\\?(::([a-z]+(\\[\\])?))?"_s);
    QRegularExpressionMatch match = placeholder.match(text);
    while (match.hasMatch()) {
        if (match.captured(2).isEmpty())
            qFatal("a parameter of the SQL statement %s has no type", qPrintable(m_name));
        m_types.append(match.captured(2));
        text.replace(match.capturedStart(), match.capturedLength(), u"$%1"_s.arg(m_types.size()));
        match = placeholder.match(text, match.capturedStart());
    }
    m_definition = (returns.isEmpty() ? templates.change : templates.query);
    m_definition.replace("{name}"_L1, m_name)
        .replace("{types}"_L1, m_types.join(u", "))
        .replace("{returns}"_L1, returns)
        .replace("{text}"_L1, text);
}

QString GuardedStatement::signature() const
{
    return u"holdfast.%1(%2)"_s.arg(m_name, m_types.join(u", "));
}

} // namespace holdfast::store
