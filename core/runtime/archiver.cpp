#include "runtime/archiver.h"

#include "model/json.h"
#include "runtime/crash_point.h"

namespace holdfast::runtime
{

using namespace Qt::StringLiterals;
using model::Error;
using model::ErrorKind;

namespace
{
constexpr int examinedAtOnce = 500;
constexpr int copiedAtOnce = 100;
constexpr int removedAtOnce = 200;

QString nameOf(int doing)
{
    static const QStringList names{u"writing"_s, u"checking"_s, u"packing"_s, u"reading"_s,
                                   u"removing"_s};
    return names.at(doing);
}

ports::AuditRow auditRow(const QString &archive, const QString &actor, const QJsonObject &body,
                         model::Instant at)
{
    ports::AuditRow row;
    row.chain = u"system"_s;
    row.at = at;
    row.actor = actor;
    row.action = u"archive"_s;
    row.subject = archive;
    row.body = QString::fromUtf8(model::canonicalJson(body));
    return row;
}

Result<void> inTransaction(ports::Store &store, const std::function<Result<void>()> &work)
{
    if (const auto begun = store.begin(); !begun)
        return begun.error();
    if (const auto done = work(); !done) {
        store.rollback();
        return done.error();
    }
    return store.commit();
}
} // namespace

Archiver::Archiver(Open open, const QString &host, const QString &programVersion)
    : m_open(std::move(open)), m_host(host), m_programVersion(programVersion)
{
}

Result<ports::ArchiveStep> Archiver::goOn(ports::Store &store, const QString &id,
                                          const QString &actor)
{
    const auto row = store.archive(id);
    if (!row)
        return row.error();
    if (!*row)
        return model::notFound(u"there is no archive %1"_s.arg(id));
    if ((*row)->state == "done"_L1 || (*row)->state == "dropped"_L1) {
        leave();
        return ports::ArchiveStep{**row, {}, 0};
    }
    if ((*row)->host != m_host)
        return model::refused(
            u"the file of this archive is on %1; go on with it there"_s.arg((*row)->host));
    // The database says where it stands; what is remembered of another state is of no use.
    if (!m_session || m_session->row.id != id || m_session->row.state != (*row)->state) {
        if (const auto entered = enter(**row); !entered) {
            m_session.reset(); // the draft may be another's
            return entered.error();
        }
    }
    if (const auto done = piece(store, actor); !done) {
        leave(); // a full disk gets its space back
        return done.error();
    }
    const bool hasEnded = m_session->row.state == "done"_L1 || m_session->row.state == "dropped"_L1;
    ports::ArchiveStep step{m_session->row, hasEnded ? QString() : nameOf(int(m_session->doing)),
                            m_session->done};
    if (hasEnded)
        leave();
    return step;
}

void Archiver::leave()
{
    if (m_session)
        m_session->file->clean();
    m_session.reset();
}

Result<void> Archiver::enter(const ports::ArchiveRow &row)
{
    m_session = std::make_unique<Session>();
    m_session->row = row;
    m_session->file = m_open(row);
    // Where the file has its name, a process died before it could say so, or while it removed.
    if (row.state != "writing"_L1 || m_session->file->stands()) {
        m_session->doing = Doing::reading;
        return {};
    }
    return m_session->file->begin();
}

Result<void> Archiver::piece(ports::Store &store, const QString &actor)
{
    switch (m_session->doing) {
    case Doing::writing: return write(store, actor);
    case Doing::checking: {
        const auto checked = m_session->file->check();
        if (!checked)
            return checked.error();
        if (*checked) {
            m_session->doing = Doing::packing;
            pass(CrashPoint::archiveDrafted);
        }
        return {};
    }
    case Doing::packing: return pack(store, actor);
    case Doing::reading: return read(store, actor);
    case Doing::removing: return remove(store, actor);
    }
    Q_UNREACHABLE();
}

Result<void> Archiver::write(ports::Store &store, const QString &actor)
{
    const auto page = store.archivable(m_session->row.before, m_session->after, examinedAtOnce);
    if (!page)
        return page.error();
    if (page->isEmpty())
        return endWriting(store, actor);
    QVector<ports::WholeRun> runs;
    for (const ports::ArchiveVerdict &verdict : *page) {
        if (runs.size() == copiedAtOnce)
            break;
        m_session->after = verdict.runId;
        if (!verdict.keptFor.isEmpty())
            continue;
        const auto whole = wholeRun(store, verdict.runId);
        if (!whole)
            return whole.error();
        if (!*whole || (*whole)->run.seq != verdict.seq)
            continue;
        if (const auto added = m_session->used.add(store, **whole); !added)
            return added.error();
        runs.append(**whole);
    }
    m_session->done += runs.size();
    return m_session->file->add(runs);
}

Result<void> Archiver::endWriting(ports::Store &store, const QString &actor)
{
    Session &session = *m_session;
    if (session.done == 0) {
        session.row.note = u"no run was old enough and free to go"_s;
        return become(store, actor, u"dropped"_s);
    }
    const auto mark = store.mark();
    if (!mark)
        return mark.error();
    const auto now = store.now();
    if (!now)
        return now.error();
    const auto definitions = session.used.rows(store);
    if (!definitions)
        return definitions.error();
    const QJsonObject manifest{{u"archive"_s, session.row.id},
                               {u"database"_s, mark->database},
                               {u"source"_s, store.describe()},
                               {u"before"_s, model::instantText(session.row.before)},
                               {u"made_at"_s, model::instantText(*now)},
                               {u"made_by"_s, session.row.actor},
                               {u"reason"_s, session.row.reason},
                               {u"program"_s, m_programVersion}};
    session.doing = Doing::checking;
    return session.file->close(manifest, *definitions);
}

Result<void> Archiver::pack(ports::Store &store, const QString &actor)
{
    const auto packed = m_session->file->pack();
    if (!packed)
        return packed.error();
    if (!*packed)
        return {};
    pass(CrashPoint::archivePlaced);
    return recordWritten(store, actor);
}

Result<void> Archiver::recordWritten(ports::Store &store, const QString &actor)
{
    Session &session = *m_session;
    const QJsonObject manifest = session.file->manifest();
    session.row.manifest = manifest;
    session.row.runs = manifest["counts"_L1]["run"_L1].toInteger();
    session.row.size = session.file->size();
    session.row.hash = session.file->hash();
    const auto now = store.now();
    if (!now)
        return now.error();
    session.row.writtenAt = *now;
    if (const auto done = become(store, actor, u"written"_s,
                                 {{u"runs"_s, session.row.runs},
                                  {u"size"_s, session.row.size},
                                  {u"sha256"_s, session.row.hash},
                                  {u"file"_s, session.row.file}});
        !done)
        return done;
    pass(CrashPoint::archiveWritten);
    session.doing = Doing::removing;
    session.after.clear();
    session.done = 0;
    return {};
}

Result<void> Archiver::read(ports::Store &store, const QString &actor)
{
    const auto whole = m_session->file->unpack();
    if (!whole)
        return whole.error();
    if (!*whole)
        return {};
    m_session->doing = Doing::removing;
    return m_session->row.state == "writing"_L1 ? recordWritten(store, actor) : Result<void>();
}

Result<void> Archiver::remove(ports::Store &store, const QString &actor)
{
    Session &session = *m_session;
    // Before the first run goes, what they were counted in is sealed.
    if (session.row.state == "written"_L1)
        return become(store, actor, u"removing"_s);
    const auto runs = session.file->runsAfter(session.after, removedAtOnce);
    if (!runs)
        return runs.error();
    if (!runs->isEmpty())
        return removePage(store, actor, *runs);
    const auto row = store.archive(session.row.id);
    if (!row || !*row)
        return row ? model::notFound(u"the archive is gone"_s) : row.error();
    session.row.removed = (*row)->removed;
    const qint64 kept = session.row.runs - session.row.removed;
    if (kept > 0)
        session.row.note =
            u"%1 runs moved since they were copied, or may not go any more: they stay"_s.arg(kept);
    return become(store, actor, u"done"_s,
                  {{u"removed"_s, session.row.removed}, {u"kept"_s, kept}});
}

Result<void> Archiver::removePage(ports::Store &store, const QString &actor,
                                  const QVector<ports::RunVersion> &runs)
{
    Session &session = *m_session;
    const auto now = store.now();
    if (!now)
        return now.error();
    ports::ArchiveRow acting = session.row;
    acting.actor = actor;
    qint64 gone = 0;
    const auto removed = inTransaction(store, [&]() -> Result<void> {
        const auto ids = store.removeRuns(acting, runs);
        if (!ids)
            return ids.error();
        gone = ids->size();
        const QJsonObject body{{u"state"_s, u"removing"_s}, {u"removed"_s, gone}};
        const auto audited = store.appendAudit(auditRow(acting.id, actor, body, *now));
        pass(CrashPoint::archiveRemoving);
        return audited;
    });
    if (!removed)
        return removed.error();
    pass(CrashPoint::archiveRemoved);
    session.after = runs.last().runId;
    session.done += gone;
    return {};
}

Result<void> Archiver::become(ports::Store &store, const QString &actor, const QString &state,
                              const QJsonObject &facts)
{
    const auto now = store.now();
    if (!now)
        return now.error();
    ports::ArchiveRow next = m_session->row;
    next.state = state;
    next.actor = actor;
    if (state == "done"_L1 || state == "dropped"_L1)
        next.endedAt = *now;
    QJsonObject body = facts;
    body.insert(u"state"_s, state);
    const auto written = inTransaction(store, [&]() -> Result<void> {
        const auto set = store.setArchive(next, m_session->row.state);
        if (!set)
            return set.error();
        if (!*set)
            return Error{ErrorKind::conflict, u"somebody else moved this archive on; look again"_s};
        return store.appendAudit(auditRow(next.id, actor, body, *now));
    });
    if (!written)
        return written.error();
    next.actor = m_session->row.actor;
    m_session->row = next;
    return {};
}

} // namespace holdfast::runtime
