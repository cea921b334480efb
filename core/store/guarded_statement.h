// A statement that changes tables of the shared database, and the roles that may execute it. Logins
// have no right to the tables themselves: each such statement is a function that runs as the owner
// of the schema, made here from the text in the .sql file. A text that is a function already,
// because it has rules to check, is taken as it stands.
#pragma once

#include <QString>
#include <QStringList>

namespace holdfast::store
{

// How functions and calls are written, from the same files.
struct GuardTemplates {
    QString call;
    QString change;
    QString query;
};

class GuardedStatement
{
public:
    // `returns` is what the function gives back; empty: how many rows it changed.
    GuardedStatement(const QString &name, const QString &text, const QStringList &roles,
                     const QString &returns, const GuardTemplates &templates);

    const QString &name() const { return m_name; }
    // As the file says; "nobody" is called by other functions only, "owner" needs no grant.
    const QStringList &roles() const { return m_roles; }
    const QString &definition() const { return m_definition; }
    QString signature() const;                     // as grant and revoke name it
    const QString &call() const { return m_call; } // what a client prepares

private:
    void readFunction(const QString &text);
    void makeFunction(QString text, const QString &returns, const GuardTemplates &templates);

    QString m_name;
    QStringList m_roles;
    QStringList m_types; // of the arguments
    QString m_definition;
    QString m_call;
};

} // namespace holdfast::store
