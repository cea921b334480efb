#include "ui/inspector/record_columns.h"

#include "model/json.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/times.h"

#include <QHeaderView>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
JsonColumn column(const QString &title, std::function<QString(const QJsonObject &)> text,
                  Token token = Token::text)
{
    JsonColumn made;
    made.title = title;
    made.text = std::move(text);
    made.token = [token](const QJsonObject &) { return token; };
    return made;
}

std::function<QString(const QJsonObject &)> field(const char *name)
{
    return [name](const QJsonObject &row) {
        const QJsonValue value = row.value(QLatin1String(name));
        return value.isDouble() ? QString::number(value.toInteger()) : value.toString();
    };
}

std::function<QString(const QJsonObject &)> time(const char *name)
{
    return [name](const QJsonObject &row) {
        return widgets::shortTime(widgets::instantOf(row.value(QLatin1String(name))));
    };
}

QString words(QString name) { return name.replace(u'_', u' '); }

QString whatOf(const QJsonObject &entry)
{
    QString text = words(entry["kind"_L1].toString());
    if (const int attempt = entry["attempt"_L1].toInt(); attempt > 0)
        text += u" %1"_s.arg(attempt);
    return text;
}

QString outcomeOf(const QJsonObject &entry)
{
    QStringList parts{entry["class"_L1].toString(), words(entry["reason"_L1].toString()),
                      words(entry["run_status"_L1].toString())};
    parts.removeAll(QString());
    if (const int status = entry["status"_L1].toInt(); status > 0)
        parts << QString::number(status);
    return parts.join(u", "_s);
}

QString moreOf(const QJsonObject &entry)
{
    QJsonObject rest = entry;
    for (const char *shown : {"seq", "at", "kind", "step", "direction", "attempt", "class",
                              "reason", "run_status", "status", "actor", "place"})
        rest.remove(QLatin1String(shown));
    return rest.isEmpty() ? QString() : QString::fromUtf8(model::compactJson(rest));
}

Token ledgerToken(const QJsonObject &row)
{
    const QString status = row["status"_L1].toString();
    if (status == "succeeded"_L1)
        return Token::good;
    return status == "failed"_L1 ? Token::bad : Token::busy;
}
} // namespace

QVector<JsonColumn> journalColumns()
{
    const auto where = [](const QJsonObject &row) {
        const QString direction = row["direction"_L1].toString();
        return row["step"_L1].toString() +
               (direction.isEmpty() ? QString() : u" ("_s + direction + u')');
    };
    return {column(u"No."_s, field("seq"), Token::muted),
            column(u"At"_s, time("at"), Token::muted),
            column(u"What"_s, whatOf),
            column(u"Step"_s, where),
            column(u"By"_s, field("actor")),
            column(u"Outcome"_s, outcomeOf),
            column(u"More"_s, moreOf, Token::muted)};
}

QVector<JsonColumn> ledgerColumns()
{
    JsonColumn status = column(u"Status"_s, [](const QJsonObject &row) {
        const QString name = row["status"_L1].toString();
        const QString shape = name == "succeeded"_L1 ? u"✔ "_s
                              : name == "failed"_L1  ? u"✖ "_s
                                                     : u"▶ "_s;
        return shape + words(name);
    });
    status.token = ledgerToken;
    const auto where = [](const QJsonObject &row) {
        return row["step"_L1].toString() +
               (row["direction"_L1].toString() == "compensate"_L1 ? u" (compensate)"_s : QString());
    };
    const auto result = [](const QJsonObject &row) {
        const QJsonObject kept = row["result"_L1].toObject();
        return kept.isEmpty() ? QString() : QString::fromUtf8(model::compactJson(kept));
    };
    return {column(u"Key"_s, field("key")),
            status,
            column(u"Step"_s, where),
            column(u"Operation"_s, field("operation"), Token::muted),
            column(u"Expires"_s, time("expires_at"), Token::muted),
            column(u"Result"_s, result, Token::muted)};
}

QVector<JsonColumn> noteColumns()
{
    return {column(u"At"_s, time("at"), Token::muted), column(u"By"_s, field("actor")),
            column(u"Note"_s,
                   [](const QJsonObject &row) { return row["detail"_L1]["text"_L1].toString(); })};
}

widgets::SteadyTable *recordTable(const QString &objectName, const QString &accessibleName,
                                  QAbstractItemModel *model, const QVector<int> &widths)
{
    auto *table = new widgets::SteadyTable;
    table->setObjectName(objectName);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    table->setItemDelegate(new widgets::CellDelegate(table));
    table->setFrameShape(QFrame::NoFrame);
    const int unit = table->fontMetrics().averageCharWidth();
    for (qsizetype column = 0; column < widths.size(); ++column)
        table->setColumnWidth(int(column), widths.at(column) * unit);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

} // namespace holdfast::inspector
