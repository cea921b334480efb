#include "ui/dependencies/failure_map.h"

#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"

#include <array>

namespace holdfast::dependencies
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
QString whenText(const QJsonObject &rule)
{
    QStringList parts;
    const int from = rule.value("status_from"_L1).toInt();
    const int to = rule.value("status_to"_L1).toInt();
    if (from != 0 || to != 0)
        parts << (from == to ? u"status %1"_s.arg(from) : u"status %1 to %2"_s.arg(from).arg(to));
    if (const QString error = rule.value("error"_L1).toString(); !error.isEmpty())
        parts << u"error "_s + error;
    if (rule.value("when"_L1).toBool())
        parts << u"its expression holds"_s;
    return parts.isEmpty() ? u"anything"_s : parts.join(u" and "_s);
}

struct ClassLook {
    const char *name;
    const char16_t *shape;
    Token token;
};
constexpr std::array<ClassLook, 3> classLooks{{{"transient", u"◔ ", Token::busy},
                                               {"ambiguous", u"◆ ", Token::attention},
                                               {"permanent", u"✖ ", Token::bad}}};

// The built-in map says more than the class, "transient; asks again"; what is no failure went well.
ClassLook classLook(const QString &failureClass)
{
    for (const ClassLook &look : classLooks) {
        if (failureClass.startsWith(QLatin1String(look.name)))
            return look;
    }
    return {"none", u"✔ ", Token::good};
}

JsonColumn column(const QString &title, const QString &name)
{
    return JsonColumn{title, [name](const QJsonObject &row) { return row.value(name).toString(); }};
}
} // namespace

QJsonArray failureRows(const QJsonArray &classify, const QJsonArray &builtIn)
{
    QJsonArray rows;
    for (const QJsonValue &value : classify) {
        const QJsonObject rule = value.toObject();
        rows.append(QJsonObject{{u"order"_s, rows.size() + 1},
                                {u"from"_s, u"this dependency"_s},
                                {u"when"_s, whenText(rule)},
                                {u"effect"_s, u"any"_s},
                                {u"class"_s, rule.value("class"_L1)},
                                {u"reason"_s, rule.value("reason"_L1)}});
    }
    for (const QJsonValue &value : builtIn) {
        QJsonObject rule = value.toObject();
        rule.insert(u"order"_s, rows.size() + 1);
        rule.insert(u"from"_s, u"built in"_s);
        rows.append(rule);
    }
    return rows;
}

FailureMap::FailureMap(QWidget *parent) : SteadyTable(parent)
{
    setObjectName(u"failureMap"_s);
    setAccessibleName(u"Failure map"_s);
    setSelectionMode(QAbstractItemView::SingleSelection);
    JsonColumn order{u"#"_s, [](const QJsonObject &row) {
                         return QString::number(row.value("order"_L1).toInt());
                     }};
    order.alignment = Qt::AlignRight | Qt::AlignVCenter;
    JsonColumn from = column(u"From"_s, u"from"_s);
    from.token = [](const QJsonObject &row) {
        return row.value("from"_L1) == u"built in"_s ? Token::muted : Token::text;
    };
    JsonColumn failureClass{u"Class"_s, [](const QJsonObject &row) {
                                const QString text = row.value("class"_L1).toString();
                                return QString::fromUtf16(classLook(text).shape) + text;
                            }};
    failureClass.token = [](const QJsonObject &row) {
        return classLook(row.value("class"_L1).toString()).token;
    };
    m_model = new widgets::JsonTableModel(
        {order, from, column(u"When"_s, u"when"_s), column(u"Effect"_s, u"effect"_s), failureClass,
         column(u"Reason"_s, u"reason"_s)},
        [](const QJsonObject &row) { return QString::number(row.value("order"_L1).toInt()); },
        this);
    setModel(m_model);
    widgets::setColumnWidths(*this, {4, 17, 0, 8, 32, 30});
    new widgets::EmptyNote(this, u"It has no rules of its own; the built-in map holds."_s);
}

void FailureMap::setRules(const QJsonArray &classify, const QJsonArray &builtIn)
{
    changeInPlace([&] { m_model->setRows(failureRows(classify, builtIn)); });
}

} // namespace holdfast::dependencies
