// The named SQL statements and the numbered migrations of one database, read once from the
// resources. SQL lives in core/store/sql and nowhere else; C++ knows statements by name. Read-only
// after loading, so any thread may use it.
#pragma once

#include "store/guarded_statement.h"

#include <QHash>
#include <QLatin1String>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

namespace holdfast::store
{

enum class Dialect { sqlite, postgres };

struct Migration {
    int number = 0;
    QString name;
    QStringList statements;
};

class Statements
{
public:
    static const Statements &of(Dialect dialect);

    // An unknown name is a bug and stops the program.
    const QString &text(QLatin1String name) const;
    QStringList names() const { return m_texts.keys(); }
    // Those that change tables which logins have no right to, by name; none where there are no
    // logins.
    const QMap<QString, GuardedStatement> &guarded() const { return m_guarded; }
    const QVector<Migration> &migrations() const { return m_migrations; }
    int newestSchema() const { return m_migrations.last().number; }
    // The readable whole: what all migrations together produce.
    const QStringList &schema() const { return m_schema; }

    // Without comments: Qt would count a question mark or a colon in one as a placeholder.
    static QString withoutComments(const QString &sql);
    // At semicolons outside quotes and dollar quotes.
    static QStringList split(const QString &sql);

private:
    explicit Statements(Dialect dialect);
    void addFile(const QString &path);
    void expandFragments();
    void guardStatements();

    struct Guard {
        QStringList roles;
        QString returns;
    };
    QHash<QString, QString> m_texts;
    QHash<QString, Guard> m_guards; // as the files say
    QMap<QString, GuardedStatement> m_guarded;
    QHash<QString, QString> m_fragments;
    QVector<Migration> m_migrations;
    QStringList m_schema;
};

} // namespace holdfast::store
