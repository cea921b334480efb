// A value from a definition file in which strings may hold ${ expressions }, split once at parse
// time.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QVector>
#include <memory>

namespace holdfast::contract
{

struct Place {
    int line = 0;
    int column = 0;
};

// "invoice:${ input.id }" is the parts text("invoice:"), expression("input.id"). A string that is
// one expression alone keeps the type of its value.
struct TextTemplate {
    struct Part {
        bool isExpression = false;
        QString text;
    };
    QVector<Part> parts;
    Place place;

    bool isEmpty() const { return parts.isEmpty(); }
    bool isSingleExpression() const { return parts.size() == 1 && parts.first().isExpression; }
    QString source() const; // as written
};

// Any YAML value whose strings are templates.
struct ValueTemplate {
    enum class Kind { absent, literal, text, list, map };
    Kind kind = Kind::absent;
    QJsonValue literal; // null, bool, number
    TextTemplate text;
    QVector<ValueTemplate> items;
    QVector<QPair<QString, ValueTemplate>> members;
    Place place;

    bool isAbsent() const { return kind == Kind::absent; }
};

} // namespace holdfast::contract
