#include "ui/settings/database_address.h"

#include <QUrl>
#include <QUrlQuery>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;

bool DatabaseAddress::isLocal() const
{
    return host.isEmpty() || host == "localhost"_L1 || host.startsWith(u"127."_s) ||
           host == "::1"_L1 || host.startsWith(u'/');
}

QString DatabaseAddress::url() const
{
    if (kind == Kind::sqlite)
        return u"sqlite:"_s + path;
    QUrl made;
    QUrlQuery query;
    made.setScheme(u"postgresql"_s);
    made.setUserName(user);
    if (host.startsWith(u'/'))
        query.addQueryItem(u"host"_s, host);
    else
        made.setHost(host.isEmpty() ? u"localhost"_s : host);
    if (port != 5432)
        made.setPort(port);
    made.setPath(u'/' + database);
    // The server of another machine must prove who it is.
    if (!isLocal())
        query.addQueryItem(u"sslmode"_s, u"verify-full"_s);
    if (!rootCertificate.isEmpty())
        query.addQueryItem(u"sslrootcert"_s, rootCertificate);
    made.setQuery(query);
    return made.toString(QUrl::FullyEncoded);
}

DatabaseAddress DatabaseAddress::fromUrl(const QString &url)
{
    DatabaseAddress address;
    if (url.startsWith(u"sqlite:"_s)) {
        address.path = url.mid(7);
        return address;
    }
    if (!url.startsWith(u"postgresql:"_s) && !url.startsWith(u"postgres:"_s))
        return address;
    const QUrl read(url, QUrl::StrictMode);
    const QUrlQuery query(read);
    address.kind = Kind::postgresql;
    address.user = read.userName(QUrl::FullyDecoded);
    address.host = query.hasQueryItem(u"host"_s)
                       ? query.queryItemValue(u"host"_s, QUrl::FullyDecoded)
                       : read.host();
    address.port = read.port(5432);
    address.database = read.path(QUrl::FullyDecoded).mid(1);
    address.rootCertificate = query.queryItemValue(u"sslrootcert"_s, QUrl::FullyDecoded);
    return address;
}

QString DatabaseAddress::problem() const
{
    if (kind == Kind::sqlite)
        return path.trimmed().isEmpty() ? u"Name the file."_s : QString();
    if (user.isEmpty())
        return u"Name the user; each person has a login of their own."_s;
    if (database.isEmpty())
        return u"Name the database."_s;
    return url().isEmpty() ? u"The host is no name of a machine."_s : QString();
}

} // namespace holdfast::settings
