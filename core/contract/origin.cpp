#include "contract/origin.h"

#include <QRegularExpression>
#include <QStringList>

namespace holdfast::contract
{

namespace
{
// 0x7f.1, 2130706433 and 0177.0.0.1 are addresses to some resolvers and names to others; we take
// none of them.
bool isOddAddress(const QString &host)
{
    static const QRegularExpression numeric(QStringLiteral("^(0[xX][0-9a-fA-F]*|[0-9]+)$"));
    const QStringList labels = host.split(QLatin1Char('.'));
    if (!numeric.match(labels.last()).hasMatch())
        return false;
    if (labels.size() != 4)
        return true;
    for (const QString &label : labels) {
        bool isNumber = false;
        const int number = label.toInt(&isNumber);
        if (!isNumber || number > 255 || QString::number(number) != label)
            return true;
    }
    return false;
}
} // namespace

bool Origin::isLoopback() const
{
    return host == QLatin1String("localhost") || host == QLatin1String("::1") ||
           (host.startsWith(QLatin1String("127.")) && !isOddAddress(host));
}

Origin parseOrigin(const QString &url)
{
    static const QRegularExpression shape(QStringLiteral(
        "^(https?)://(?:\\[([0-9a-fA-F:.]+)\\]|([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?))"
        "(?::([0-9]{1,5}))?$"));
    Origin origin;
    const auto match = shape.match(url);
    const int port = match.captured(4).toInt();
    if (!match.hasMatch() || port > 65535 || (port == 0 && !match.captured(4).isEmpty())) {
        origin.error = QStringLiteral("'url' must be an exact origin such as "
                                      "https://api.example.com: http or https, a host, maybe a "
                                      "port, and no user, path or query");
        return origin;
    }
    origin.scheme = match.captured(1);
    origin.host = (match.captured(2) + match.captured(3)).toLower();
    if (match.captured(2).isEmpty() &&
        (isOddAddress(origin.host) || origin.host.contains(QLatin1String(".."))))
        origin.error =
            QStringLiteral("'%1' is neither a host's name nor a plain address").arg(origin.host);
    return origin;
}

} // namespace holdfast::contract
