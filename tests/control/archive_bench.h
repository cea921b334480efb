// A door with runs that ended, and an archive made of them step by step.
#pragma once

#include "control/door_bench.h"
#include "runtime/whole_run.h"
#include "store/archive_hashes.h"
#include "store/archive_store.h"

namespace holdfast::tests
{

class ArchiveBench : public DoorBench
{
public:
    explicit ArchiveBench(StoreFixture::Kind kind) : DoorBench(kind) { deploy(oneStepWorkflow()); }

    QString file(const QString &name = QStringLiteral("a.hfarchive")) const
    {
        return folder.filePath(name);
    }
    // Some that succeed, and one after them that has the newest journal row.
    QStringList succeed(int count)
    {
        QStringList ids;
        for (int i = 1; i <= count; ++i)
            ids.append(start(QStringLiteral("a%1").arg(i)));
        run(succeeds);
        newest = start(QStringLiteral("z"));
        run(succeeds);
        return ids;
    }
    // An instant after everything that happened.
    QString later()
    {
        fixture.clock.advance(model::hour);
        const auto last = store->run(newest);
        model::Instant now = store->now().value();
        while (now <= (*last)->updatedAt)
            now = store->now().value();
        return model::instantText(now);
    }
    QJsonObject order(const QString &name = QStringLiteral("a.hfarchive"))
    {
        return {{QStringLiteral("before"), later()},
                {QStringLiteral("file"), file(name)},
                {QStringLiteral("reason"), QStringLiteral("retention")}};
    }
    // Until it ends, or comes to this state.
    model::Result<QJsonObject> goOn(const QString &id, const QString &until = {})
    {
        while (true) {
            const auto answer = call("archive_go", {{QStringLiteral("archive"), id}});
            if (!answer)
                return answer.error();
            const QJsonObject json = answer->toObject();
            const bool hasEnded = json[QLatin1String("doing")].isNull();
            if (hasEnded || json[QLatin1String("state")].toString() == until)
                return json;
        }
    }
    QJsonObject archiveAll()
    {
        const QString id = ok("archive", order())[QLatin1String("id")].toString();
        const auto ended = goOn(id);
        if (!ended)
            qFatal("the archive failed: %s", qPrintable(ended.error().message));
        return *ended;
    }
    // As one text for each run, with everything that belongs to it.
    static QString textOf(const ports::WholeRun &run)
    {
        store::ArchiveHashes hashes;
        hashes.add(run);
        return QString::fromUtf8(QJsonDocument(hashes.hashes()).toJson()) +
               QString::fromUtf8(QJsonDocument(hashes.counts()).toJson());
    }
    QMap<QString, QString> textsHere()
    {
        QMap<QString, QString> texts;
        const auto rows = store->runsPage(lowest(), 1000);
        for (const ports::RunRow &row : *rows) {
            const auto whole = runtime::wholeRun(*store, row.runId);
            texts.insert(row.runId, whole && *whole ? textOf(**whole) : QString());
        }
        return texts;
    }
    static QMap<QString, QString> textsIn(store::ArchiveStore &archive)
    {
        QMap<QString, QString> texts;
        const auto runs = archive.runsAfter({}, 1000);
        for (const ports::RunVersion &run : *runs)
            texts.insert(run.runId, textOf(archive.whole(run.runId).value()));
        return texts;
    }
    QString lowest() const
    {
        return fixture.kind() == StoreFixture::Kind::postgres
                   ? QStringLiteral("00000000-0000-0000-0000-000000000001")
                   : QString();
    }

    QTemporaryDir folder;
    QString newest;
};

} // namespace holdfast::tests
