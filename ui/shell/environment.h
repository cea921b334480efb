// What kind of database a window works on. It colours the frame of the window and stands in words
// beside the name, so that nobody takes production for the demo.
#pragma once

#include "ui/style/theme.h"

#include <QString>
#include <optional>

namespace holdfast::shell
{

struct Environment {
    enum class Kind { demo, test, production, archive };
    Kind kind = Kind::production;
    QString name; // of the workspace

    QString word() const;
    QColor ground() const;
    // What a person types before a destructive act; empty: nothing, here it may be tried out.
    QString typedName() const;
    static std::optional<Kind> kindNamed(const QString &name); // demo | test | production
};

} // namespace holdfast::shell
