#include "ui/shell/environment.h"

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

QString Environment::word() const
{
    switch (kind) {
    case Kind::demo: return u"DEMO"_s;
    case Kind::test: return u"TEST"_s;
    case Kind::production: return u"PRODUCTION"_s;
    case Kind::archive: return u"Archive, read only"_s;
    }
    Q_UNREACHABLE();
}

// White words stand on it, in both themes.
QColor Environment::ground() const
{
    switch (kind) {
    case Kind::demo: return {0x0b, 0x5c, 0xad};
    case Kind::test: return {0x1a, 0x70, 0x37};
    case Kind::production: return {0xa3, 0x22, 0x1b};
    case Kind::archive: return {0x4a, 0x4f, 0x57};
    }
    Q_UNREACHABLE();
}

QString Environment::typedName() const
{
    if (kind != Kind::production)
        return {};
    return name.isEmpty() ? u"production"_s : name;
}

std::optional<Environment::Kind> Environment::kindNamed(const QString &name)
{
    if (name == "demo"_L1)
        return Kind::demo;
    if (name == "test"_L1)
        return Kind::test;
    if (name == "production"_L1)
        return Kind::production;
    return std::nullopt;
}

} // namespace holdfast::shell
