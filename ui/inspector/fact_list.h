// Names and values one below the other, as text that can be selected and that never asks for more
// width than there is.
#pragma once

#include "ui/style/theme.h"

#include <QScrollArea>
#include <QVector>

class QGridLayout;

namespace holdfast::widgets
{
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

struct Fact {
    QString name;
    QString value;
    style::Token token = style::Token::text;

    bool operator==(const Fact &) const = default;
};

class FactList : public QScrollArea
{
    Q_OBJECT
public:
    FactList(const QString &objectName, const QString &accessibleName, QWidget *parent = nullptr);

    // Facts without a value are left out.
    void setFacts(const QVector<Fact> &facts);
    QString valueOf(const QString &name) const;
    void addFoot(QWidget *widget);

private:
    struct Row {
        widgets::TokenLabel *name = nullptr;
        widgets::WrapLabel *value = nullptr;
    };

    QGridLayout *m_grid = nullptr;
    QVector<Row> m_rows;
    QVector<Fact> m_facts;
};

} // namespace holdfast::inspector
