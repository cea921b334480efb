// Enum values and their persisted names in one table, so that writing and reading cannot drift
// apart.
#pragma once

#include <QString>
#include <array>
#include <optional>

namespace holdfast::model
{

template <typename E>
struct Name {
    E value;
    QStringView text;
};

// The text is not copied: names are asked for with every row that is written.
template <typename E, std::size_t N>
QString nameOf(const std::array<Name<E>, N> &names, E value)
{
    for (const Name<E> &name : names) {
        if (name.value == value)
            return QString::fromRawData(name.text.data(), name.text.size());
    }
    Q_UNREACHABLE();
}

template <typename E, std::size_t N>
std::optional<E> valueOf(const std::array<Name<E>, N> &names, const QString &text)
{
    for (const Name<E> &name : names) {
        if (text == name.text)
            return name.value;
    }
    return std::nullopt;
}

} // namespace holdfast::model
