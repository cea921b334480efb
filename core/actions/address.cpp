#include "actions/address.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>

namespace holdfast::actions
{

namespace
{

struct Range4 {
    quint32 network;
    int bits;
    AddressKind kind;
};

constexpr quint32 quad(quint32 a, quint32 b, quint32 c, quint32 d)
{
    return (a << 24) | (b << 16) | (c << 8) | d;
}

constexpr std::array ranges4{
    Range4{quad(0, 0, 0, 0), 8, AddressKind::unusable},
    Range4{quad(127, 0, 0, 0), 8, AddressKind::loopback},
    Range4{quad(10, 0, 0, 0), 8, AddressKind::privateNetwork},
    Range4{quad(100, 64, 0, 0), 10, AddressKind::privateNetwork},
    Range4{quad(169, 254, 0, 0), 16, AddressKind::privateNetwork},
    Range4{quad(172, 16, 0, 0), 12, AddressKind::privateNetwork},
    Range4{quad(192, 0, 0, 0), 24, AddressKind::privateNetwork},
    Range4{quad(192, 0, 2, 0), 24, AddressKind::privateNetwork},
    Range4{quad(192, 168, 0, 0), 16, AddressKind::privateNetwork},
    Range4{quad(198, 18, 0, 0), 15, AddressKind::privateNetwork},
    Range4{quad(198, 51, 100, 0), 24, AddressKind::privateNetwork},
    Range4{quad(203, 0, 113, 0), 24, AddressKind::privateNetwork},
    Range4{quad(224, 0, 0, 0), 3, AddressKind::unusable},
};

AddressKind kindOf4(quint32 address)
{
    for (const Range4 &range : ranges4) {
        const quint32 mask = ~quint32(0) << (32 - range.bits);
        if ((address & mask) == range.network)
            return range.kind;
    }
    return AddressKind::publicNetwork;
}

quint32 embedded4(const unsigned char *bytes)
{
    return quad(bytes[0], bytes[1], bytes[2], bytes[3]);
}

// An IPv4 address carried inside an IPv6 one is only as public as itself.
AddressKind kindOfCarried(quint32 address)
{
    return kindOf4(address) == AddressKind::publicNetwork ? AddressKind::publicNetwork
                                                          : AddressKind::privateNetwork;
}

bool startsWith(const unsigned char *bytes, std::initializer_list<unsigned char> prefix)
{
    return std::equal(prefix.begin(), prefix.end(), bytes);
}

AddressKind kindOf6(const unsigned char *b)
{
    static constexpr std::array<unsigned char, 16> zero{};
    if (std::memcmp(b, zero.data(), 16) == 0)
        return AddressKind::unusable;
    if (std::memcmp(b, zero.data(), 15) == 0 && b[15] == 1)
        return AddressKind::loopback;
    if (b[0] == 0xff)
        return AddressKind::unusable;
    const bool zeroTo10 = std::memcmp(b, zero.data(), 10) == 0;
    if (zeroTo10 && ((b[10] == 0xff && b[11] == 0xff) || (b[10] == 0 && b[11] == 0)))
        return AddressKind::privateNetwork; // mapped and compatible forms have no honest use here
    if ((b[0] & 0xfe) == 0xfc || (b[0] == 0xfe && (b[1] & 0x80) == 0x80))
        return AddressKind::privateNetwork;
    if (startsWith(b, {0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0}))
        return kindOfCarried(embedded4(b + 12));
    if (startsWith(b, {0x00, 0x64, 0xff, 0x9b}))
        return AddressKind::privateNetwork;
    if (startsWith(b, {0x20, 0x02}))
        return kindOfCarried(embedded4(b + 2));
    if (startsWith(b, {0x20, 0x01, 0x00, 0x00}) || startsWith(b, {0x20, 0x01, 0x0d, 0xb8}))
        return AddressKind::privateNetwork;
    if (startsWith(b, {0x01, 0x00, 0, 0, 0, 0, 0, 0}))
        return AddressKind::unusable;
    return AddressKind::publicNetwork;
}

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
}

// A last label that is a number, decimal or hexadecimal, makes resolvers read the whole name as
// one.
bool looksNumeric(const QByteArray &host)
{
    QByteArray name = host.toLower();
    if (name.endsWith('.'))
        name.chop(1);
    const QByteArray last = name.mid(name.lastIndexOf('.') + 1);
    const bool isHexadecimal = last.startsWith("0x");
    return std::all_of(last.begin(), last.end(), [isHexadecimal](char c) {
        return (c >= '0' && c <= '9') || (isHexadecimal && (c == 'x' || (c >= 'a' && c <= 'f')));
    });
}

bool isHostValid(const QByteArray &host, bool isBracketed)
{
    in6_addr six;
    in_addr four;
    if (isBracketed)
        return inet_pton(AF_INET6, host.constData(), &six) == 1;
    if (host.isEmpty() || host.size() > 253 ||
        !std::all_of(host.begin(), host.end(), isNameCharacter))
        return false;
    return !looksNumeric(host) || inet_pton(AF_INET, host.constData(), &four) == 1;
}

bool isPortValid(const QByteArray &port)
{
    bool isNumber = false;
    const int number = port.toInt(&isNumber);
    return isNumber && number > 0 && number < 65536 && port.at(0) >= '0' && port.at(0) <= '9';
}

} // namespace

AddressKind addressKind(const sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        sockaddr_in four;
        std::memcpy(&four, address, sizeof four);
        return kindOf4(ntohl(four.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        sockaddr_in6 six;
        std::memcpy(&six, address, sizeof six);
        return kindOf6(six.sin6_addr.s6_addr);
    }
    return AddressKind::unusable;
}

AddressKind addressKind(const QByteArray &text)
{
    in_addr four;
    if (inet_pton(AF_INET, text.constData(), &four) == 1)
        return kindOf4(ntohl(four.s_addr));
    in6_addr six;
    if (inet_pton(AF_INET6, text.constData(), &six) == 1)
        return kindOf6(six.s6_addr);
    return AddressKind::unusable;
}

model::Result<Origin> parseOrigin(const QString &url)
{
    const auto refuse = [&url](const char *why) {
        return model::refused(QStringLiteral("The origin \"%1\" %2.").arg(url, QLatin1String(why)));
    };
    const QByteArray text = url.toUtf8();
    const bool isPlain = text.left(7).toLower() == "http://";
    if (!isPlain && text.left(8).toLower() != "https://")
        return refuse("is neither http nor https");
    QByteArray authority = text.mid(isPlain ? 7 : 8);
    if (authority.endsWith('/'))
        authority.chop(1);
    const bool isBracketed = authority.startsWith('[');
    const qsizetype hostEnd = isBracketed ? authority.indexOf(']') : authority.indexOf(':');
    QByteArray host = hostEnd < 0 ? authority : authority.left(hostEnd);
    QByteArray rest = hostEnd < 0 ? QByteArray() : authority.mid(hostEnd);
    if (isBracketed) {
        host.remove(0, 1);
        rest.remove(0, 1);
    }
    if ((isBracketed && hostEnd < 0) || !isHostValid(host, isBracketed))
        return refuse("does not name a host in its usual spelling");
    if (!rest.isEmpty() && (!rest.startsWith(':') || !isPortValid(rest.mid(1))))
        return refuse("has something else than a port after its host");
    Origin origin;
    origin.host = host;
    origin.url = (isPlain ? "http://" : "https://") + authority;
    in_addr four;
    const bool isAddress = isBracketed || inet_pton(AF_INET, host.constData(), &four) == 1;
    origin.isLoopbackLiteral =
        isAddress ? addressKind(host) == AddressKind::loopback : host.toLower() == "localhost";
    return origin;
}

bool AddressRule::allows(AddressKind kind) const
{
    switch (kind) {
    case AddressKind::publicNetwork: return true;
    case AddressKind::loopback: return allowLoopback || allowPrivate;
    case AddressKind::privateNetwork: return allowPrivate;
    case AddressKind::unusable: return false;
    }
    return false;
}

} // namespace holdfast::actions
