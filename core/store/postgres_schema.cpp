#include "store/postgres_schema.h"

#include "model/json.h"

namespace holdfast::store
{

using namespace Qt::StringLiterals;

namespace
{
// A text that holds statements with quotes and dollar quotes of their own.
QString executed(const QString &statement)
{
    return u"execute $do_one$%1$do_one$;\n"_s.arg(statement);
}

QString functionsHash(const Statements &statements)
{
    QByteArray all;
    for (const GuardedStatement &guarded : statements.guarded())
        all += guarded.definition().toUtf8() + guarded.roles().join(u' ').toUtf8();
    return model::sha256Hex(all);
}
} // namespace

Error PostgresSchema::lacks(const Found &found, const QString &right) const
{
    return model::refused(u"the login %1 lacks the right %2; an owner can run `holdfastctl admin "
                          "init`, which sets up roles"_s.arg(found.login, right));
}

Result<PostgresSchema::Found> PostgresSchema::look()
{
    const Result<QSqlQuery *> answer = m_connection.run("rights");
    if (!answer)
        return answer.error();
    QSqlQuery &row = **answer;
    row.next();
    Found found;
    found.hasSchema = row.value(0).toBool();
    found.mayCreateSchema = row.value(1).toBool();
    found.mayUse = row.value(2).toBool();
    found.mayCreateTables = row.value(3).toBool();
    found.hasTables = row.value(4).toBool();
    found.login = row.value(5).toString();
    found.database = row.value(6).toString();
    found.mayReadTables = row.value(7).toBool();
    found.mayReadViews = row.value(8).toBool();
    row.finish();
    return found;
}

Result<int> PostgresSchema::version(const Found &found)
{
    if (!found.hasTables)
        return 0;
    const Result<QSqlQuery *> answer = m_connection.run("schema_version");
    if (!answer) {
        return answer.error().kind == ErrorKind::refused
                   ? lacks(found, u"SELECT on the table holdfast.setting"_s)
                   : answer.error();
    }
    const int version = (*answer)->next() ? (*answer)->value(0).toInt() : 0;
    (*answer)->finish();
    return version;
}

Result<PostgresSchema::Functions> PostgresSchema::functions()
{
    const Result<QSqlQuery *> answer = m_connection.run("functions_hash");
    if (!answer)
        return answer.error();
    const QString value = (*answer)->next() ? (*answer)->value(0).toString() : QString();
    (*answer)->finish();
    Functions standing{value.section(u' ', 0, 0),
                       QVersionNumber::fromString(value.section(u' ', 1))};
    standing.isOurs = standing.hash == functionsHash(m_connection.statements());
    return standing;
}

Error PostgresSchema::foreign(int schema, const Functions &standing, const QString &advice) const
{
    return {ErrorKind::unsupported,
            u"%1 has schema %2 as set up by %3; this is Holdfast %4 with schema %5. %6"_s
                .arg(m_described)
                .arg(schema)
                .arg(standing.program.isNull() ? u"another build of Holdfast"_s
                                               : u"Holdfast "_s + standing.program.toString(),
                     QStringLiteral(HOLDFAST_VERSION))
                .arg(m_connection.statements().newestSchema())
                .arg(advice)};
}

// The newer program wins. Two that call themselves the same and yet differ would take turns at
// each other's functions, so the one whose workers live keeps them.
Result<void> PostgresSchema::mayReplace(const Functions &standing)
{
    const int schema = m_connection.statements().newestSchema();
    const auto ours = QVersionNumber::fromString(QStringLiteral(HOLDFAST_VERSION));
    if (standing.program > ours)
        return foreign(schema, standing, u"Use the newer one"_s);
    if (standing.hash.isEmpty() || (!standing.program.isNull() && standing.program < ours))
        return {};
    const Result<QSqlQuery *> answer = m_connection.run("living_workers");
    if (!answer)
        return answer.error();
    (*answer)->next();
    const int living = (*answer)->value(0).toInt();
    const QString versions = (*answer)->value(1).toString();
    (*answer)->finish();
    if (living == 0)
        return {};
    return foreign(schema, standing,
                   u"Its functions differ, and %1 running workers (%2) need them as they are: end "
                   "those first, or use their program"_s.arg(living)
                       .arg(versions));
}

Result<void> PostgresSchema::check()
{
    Found found;
    found.hasTables = true;
    const Result<int> standing = version(found);
    if (!standing)
        return standing.error();
    const Result<Functions> made = functions();
    if (!made)
        return made.error();
    if (*standing == m_connection.statements().newestSchema() && made->isOurs)
        return {};
    return foreign(*standing, *made,
                   u"It was changed under this program, which ends what is under way and stops; "
                   "start the program that fits"_s);
}

Result<void> PostgresSchema::settle()
{
    const Result<Found> found = look();
    if (!found)
        return found.error();
    if (found->hasSchema && !found->mayUse)
        return lacks(*found, u"USAGE on the schema holdfast of database "_s + found->database);
    m_connection.readViews(!found->mayReadTables && found->mayReadViews);
    const Result<int> standing = version(*found);
    if (!standing)
        return standing.error();
    const int newest = m_connection.statements().newestSchema();
    Functions made;
    if (*standing >= newest) {
        const Result<Functions> answer = functions();
        if (!answer)
            return answer.error();
        made = *answer;
    }
    if (*standing > newest)
        return foreign(*standing, made, u"Use the newer one"_s);
    if (*standing == newest && made.isOurs)
        return {};
    if (!found->hasSchema && !found->mayCreateSchema)
        return lacks(*found, u"CREATE on the database "_s + found->database);
    if (found->hasSchema && !found->mayCreateTables) {
        return foreign(*standing, made,
                       u"The login %1 may not change that; an owner can run `holdfastctl admin "
                       "init` with the newer one"_s.arg(found->login));
    }
    if (*standing == newest) {
        if (const Result<void> may = mayReplace(made); !may)
            return may;
    }
    return inTransaction([this] { return build(); });
}

// Several processes may come first at once. An advisory lock is enough: it guards effort, not
// safety, since the tables themselves can be created only once.
Result<void> PostgresSchema::build()
{
    for (const QString &text :
         {u"select pg_advisory_xact_lock(7235419)"_s, u"create schema if not exists holdfast"_s}) {
        if (const Result<void> done = m_connection.direct(text); !done)
            return done;
    }
    const Result<Found> found = look();
    if (!found)
        return found.error();
    const Result<int> standing = version(*found);
    if (!standing)
        return standing.error();
    if (const Result<void> migrated = applyMigrations(*standing); !migrated)
        return migrated;
    const Result<Functions> made = functions();
    if (!made)
        return made.error();
    return made->isOurs ? Result<void>() : makeFunctions();
}

Result<void> PostgresSchema::applyMigrations(int from)
{
    for (const Migration &migration : m_connection.statements().migrations()) {
        if (migration.number <= from)
            continue;
        for (const QString &text : migration.statements) {
            if (const Result<void> done = m_connection.direct(text); !done)
                return done;
        }
        const Result<int> set =
            m_connection.change("set_schema_version", {QString::number(migration.number)});
        if (!set)
            return set.error();
    }
    return {};
}

// In one text, since there are many and each would be a round trip.
Result<void> PostgresSchema::makeFunctions()
{
    QString text;
    for (const GuardedStatement &guarded : m_connection.statements().guarded()) {
        text += executed(guarded.definition());
        text += executed(u"revoke all on function %1 from public"_s.arg(guarded.signature()));
        text += executed(u"comment on function %1 is '%2'"_s.arg(guarded.signature(),
                                                                 guarded.roles().join(u' ')));
    }
    if (const Result<void> done =
            m_connection.direct(u"do $do_all$ begin\n%1end $do_all$"_s.arg(text));
        !done)
        return done;
    const QString made =
        functionsHash(m_connection.statements()) + u' ' + QStringLiteral(HOLDFAST_VERSION);
    const Result<int> kept = m_connection.change("set_functions_hash", {made});
    if (!kept)
        return kept.error();
    // Where there are roles, whoever had them has the new functions, too.
    const Result<int> granted = m_connection.change("grant_rights");
    return granted ? Result<void>() : Result<void>(granted.error());
}

Result<ports::Rights> PostgresSchema::rights()
{
    const Result<Found> found = look();
    if (!found)
        return found.error();
    const Result<QSqlQuery *> answer = m_connection.run("roles_of_login");
    if (!answer)
        return answer.error();
    ports::Rights rights{found->login, false};
    if ((*answer)->next()) {
        const QStringList names = (*answer)->value(0).toString().split(u' ', Qt::SkipEmptyParts);
        for (const QString &name : names)
            rights.roles.append(*ports::roleFromName(name));
        rights.isOwner = (*answer)->value(1).toBool();
    }
    (*answer)->finish();
    return rights;
}

Result<void> PostgresSchema::inTransaction(const std::function<Result<void>()> &work)
{
    if (const Result<void> begun = m_connection.direct(u"begin"_s); !begun)
        return begun;
    if (const Result<void> done = work(); !done) {
        // Fails only where the connection is gone, and then nothing stands either.
        const Result<void> undone = m_connection.direct(u"rollback"_s);
        Q_UNUSED(undone);
        return done;
    }
    return m_connection.direct(u"commit"_s);
}

} // namespace holdfast::store
