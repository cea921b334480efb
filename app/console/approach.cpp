#include "app/console/approach.h"

#include "app/console/door_calls.h"
#include "app/ctl/database.h"
#include "store/store_url.h"

#include <QCoreApplication>
#include <QUrl>

namespace holdfast::console
{

using namespace Qt::StringLiterals;
using model::Result;

Result<Approach> approachUntried(const QString &url)
{
    const Approach found{url, ctl::currentActor(url), answeringOwner(url)};
    if (found.owner == QCoreApplication::applicationPid())
        return model::refused(u"This console has it open already, or is still finishing attempts "
                              "there; try again when they have ended."_s);
    return found;
}

Result<Approach> approach(const QString &url)
{
    const auto found = approachUntried(url);
    if (!found || found->owner != 0)
        return found;
    auto store = store::openStore(url);
    if (!store)
        return store.error();
    if (const auto opened = (*store)->open(); !opened)
        return opened.error();
    return found;
}

Result<QString> tried(const QString &url)
{
    auto store = store::openStore(url, store::Access::reader);
    const auto opened = store ? (*store)->open() : Result<void>(store.error());
    if (!opened)
        return opened.error();
    return u"It answers, and it is a run database."_s;
}

QString withPassword(const QString &url, const QString &password)
{
    if (password.isEmpty() || !url.startsWith("postgres"_L1))
        return url;
    QUrl parsed(url);
    parsed.setPassword(password, QUrl::DecodedMode);
    return parsed.toString(QUrl::FullyEncoded);
}

QString withoutPassword(const QString &url)
{
    if (!url.startsWith("postgres"_L1))
        return url;
    return QUrl(url).toString(QUrl::RemovePassword | QUrl::FullyEncoded);
}

} // namespace holdfast::console
