// Retention at the door: old runs go into a file, piece by piece, as long as somebody asks for the
// next one.
#include "control/arguments.h"
#include "control/record.h"

#include <QFileInfo>
#include <QJsonArray>

namespace holdfast::control
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qint64 archivesShown = 200;
constexpr int previewedAtOnce = 2000;

QJsonObject archiveJson(const ports::ArchiveRow &row)
{
    return {{u"id"_s, row.id},
            {u"file"_s, row.file},
            {u"host"_s, row.host},
            {u"before"_s, instantJson(row.before)},
            {u"state"_s, row.state},
            {u"note"_s, textOrNull(row.note)},
            {u"runs"_s, row.runs},
            {u"removed"_s, row.removed},
            {u"size"_s, row.size},
            {u"sha256"_s, textOrNull(row.hash)},
            {u"actor"_s, row.actor},
            {u"reason"_s, row.reason},
            {u"started_at"_s, instantJson(row.startedAt)},
            {u"written_at"_s, instantJson(row.writtenAt)},
            {u"ended_at"_s, instantJson(row.endedAt)},
            {u"manifest"_s, row.manifest}};
}

Result<model::Instant> cutOff(Context &context)
{
    const auto now = context.store.now();
    if (!now)
        return now.error();
    const auto age = integerOr(context.arguments(), "older_than_ms", 0);
    if (!age)
        return age.error();
    const auto given = instantOf(context.arguments(), "before");
    if (!given)
        return given.error();
    if ((*given == model::never) == (*age == 0) || *age < 0)
        return model::invalid(u"say how old runs are to be: before an instant, or older than a "
                              "time"_s);
    const model::Instant before = *age > 0 ? *now - *age : *given;
    if (before > *now)
        return model::invalid(u"the cut-off lies in the future; what is still to come cannot be "
                              "archived"_s);
    if (before <= 0)
        return model::invalid(u"the cut-off lies before any run"_s);
    return before;
}

Result<QString> fileOf(const QJsonObject &arguments)
{
    const auto name = requiredText(arguments, "file");
    if (!name)
        return name.error();
    const QFileInfo file(*name);
    if (!file.isAbsolute() || !name->endsWith(".hfarchive"_L1))
        return model::invalid(u"the file of an archive is a whole path that ends in .hfarchive"_s);
    if (!QFileInfo(file.absolutePath()).isDir())
        return model::invalid(u"there is no folder %1"_s.arg(file.absolutePath()));
    return file.absoluteFilePath();
}

// Asked for again with the same file, it goes on.
Result<std::optional<ports::ArchiveRow>> unfinished(Context &context)
{
    const auto rows = context.store.archives(int(archivesShown));
    if (!rows)
        return rows.error();
    for (const ports::ArchiveRow &row : *rows) {
        if (row.state != "done"_L1 && row.state != "dropped"_L1)
            return std::optional(row);
    }
    return std::optional<ports::ArchiveRow>();
}

Result<ports::ArchiveRow> orderOf(Context &context, const QString &file)
{
    const auto before = cutOff(context);
    if (!before)
        return before.error();
    const auto reason = reasonOf(context.arguments(), true);
    if (!reason)
        return reason.error();
    const auto now = context.store.now();
    if (!now)
        return now.error();
    ports::ArchiveRow row;
    row.id = context.request.id;
    row.file = file;
    row.host = context.surroundings.host;
    row.before = *before;
    row.reason = *reason;
    row.actor = context.request.actor;
    row.state = u"writing"_s;
    row.startedAt = *now;
    return row;
}

Result<void> writeOrder(Context &context, const ports::ArchiveRow &row)
{
    return inTransaction(context.store, [&]() -> Result<void> {
        const auto started = context.store.startArchive(row);
        if (!started)
            return started.error();
        if (!*started)
            return model::Error{model::ErrorKind::conflict,
                                u"another archive was started at the same moment; look again"_s};
        const QJsonObject body{{u"state"_s, row.state},
                               {u"file"_s, row.file},
                               {u"host"_s, row.host},
                               {u"before"_s, model::instantText(row.before)},
                               {u"reason"_s, row.reason}};
        return context.store.appendAudit(
            auditRow(context, u"system"_s, row.id, body, row.startedAt));
    });
}
} // namespace

Result<QJsonValue> archive(Context &context)
{
    const auto known = context.store.archive(context.request.id);
    if (!known)
        return known.error();
    if (*known)
        return QJsonValue(archiveJson(**known));
    const auto file = fileOf(context.arguments());
    if (!file)
        return file.error();
    const auto open = unfinished(context);
    if (!open)
        return open.error();
    if (*open && (*open)->file == *file)
        return QJsonValue(archiveJson(**open));
    if (*open && (*open)->state != "writing"_L1)
        return model::refused(
            u"the archive %1 is written and its runs are not all removed; finish it first with "
            "`holdfastctl archive --resume`"_s.arg((*open)->file));
    const QFileInfo target(*file);
    if (target.exists() || target.isSymLink())
        return model::refused(
            u"%1 is there already, and no file is ever replaced; choose another name"_s.arg(*file));
    const auto row = orderOf(context, *file);
    if (!row)
        return row.error();
    if (const auto written = writeOrder(context, *row); !written)
        return written.error();
    return QJsonValue(archiveJson(*row));
}

Result<QJsonValue> archiveGo(Context &context)
{
    QString id = context.arguments().value("archive"_L1).toString();
    if (id.isEmpty()) {
        const auto open = unfinished(context);
        if (!open)
            return open.error();
        if (!*open)
            return model::notFound(u"every archive is finished"_s);
        id = (*open)->id;
    }
    if (!context.surroundings.archiveStep)
        return model::refused(u"this process cannot write archives"_s);
    const auto step = context.surroundings.archiveStep(context.store, id, context.request.actor);
    if (!step)
        return step.error();
    QJsonObject json = archiveJson(step->archive);
    json.insert(u"doing"_s, textOrNull(step->doing));
    json.insert(u"done"_s, step->done);
    return QJsonValue(json);
}

// A page; the caller adds them up.
Result<QJsonValue> archivePreview(Context &context)
{
    const auto before = cutOff(context);
    if (!before)
        return before.error();
    const auto page = context.store.archivable(
        *before, context.arguments().value("cursor"_L1).toString(), previewedAtOnce);
    if (!page)
        return page.error();
    qint64 goes = 0;
    QMap<QString, qint64> stays;
    for (const ports::ArchiveVerdict &verdict : *page)
        ++(verdict.keptFor.isEmpty() ? goes : stays[verdict.keptFor]);
    QJsonObject kept;
    for (auto each = stays.cbegin(); each != stays.cend(); ++each)
        kept.insert(each.key(), *each);
    return QJsonValue(QJsonObject{{u"before"_s, instantJson(*before)},
                                  {u"archives"_s, goes},
                                  {u"stays"_s, kept},
                                  {u"cursor"_s, page->size() < previewedAtOnce
                                                    ? QJsonValue()
                                                    : QJsonValue(page->last().runId)}});
}

Result<QJsonValue> archives(Context &context)
{
    const auto rows = context.store.archives(int(archivesShown));
    if (!rows)
        return rows.error();
    QJsonArray list;
    for (const ports::ArchiveRow &row : *rows)
        list.append(archiveJson(row));
    return QJsonValue(QJsonObject{{u"archives"_s, list}});
}

} // namespace holdfast::control
