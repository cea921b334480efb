#include "ui/overview/rate_table.h"

#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/rate_delegate.h"
#include "ui/widgets/steady_table.h"

#include <QLocale>
#include <QVBoxLayout>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
constexpr Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;

// Of what ended one way or the other; invalid where nothing did.
QVariant successOf(const QJsonObject &row)
{
    const double confirmed = row.value("confirmed"_L1).toDouble();
    const double failed = row.value("failed"_L1).toDouble();
    return confirmed + failed > 0 ? QVariant(confirmed / (confirmed + failed)) : QVariant();
}

JsonColumn counter(const QString &title, const QString &name, Token token = Token::text)
{
    JsonColumn column;
    column.title = title;
    column.text = [name](const QJsonObject &row) {
        return QLocale().toString(qint64(row.value(name).toDouble()));
    };
    column.figure = [name](const QJsonObject &row) { return QVariant(row.value(name).toDouble()); };
    column.token = [name, token](const QJsonObject &row) {
        return row.value(name).toDouble() > 0 ? token : Token::muted;
    };
    column.alignment = right;
    return column;
}

QVector<JsonColumn> columnsOf(RateTable::By by)
{
    QVector<JsonColumn> columns;
    if (by == RateTable::By::operation)
        columns << JsonColumn{u"Operation"_s, [](const QJsonObject &row) {
                                  return u"%1 · %2"_s.arg(row.value("workflow"_L1).toString(),
                                                          row.value("step"_L1).toString());
                              }};
    else
        columns << JsonColumn{u"Dependency"_s, [](const QJsonObject &row) {
                                  return row.value("dependency"_L1).toString();
                              }};
    JsonColumn success{u"Success"_s, [](const QJsonObject &row) {
                           const QVariant rate = successOf(row);
                           return rate.isValid() ? widgets::rateText(rate.toDouble())
                                                 : u"? unknown"_s;
                       }};
    success.figure = successOf;
    columns << success << counter(u"Attempts"_s, u"attempts"_s)
            << counter(u"Retries"_s, u"retries"_s)
            << counter(u"Ambiguous"_s, u"ambiguous"_s, Token::attention);
    return columns;
}

QString identityOf(const QJsonObject &row)
{
    return row.value("workflow"_L1).toString() + u'\n' + row.value("step"_L1).toString() + u'\n' +
           row.value("dependency"_L1).toString();
}
} // namespace

RateTable::RateTable(By by, QWidget *parent) : Panel(parent), m_by(by)
{
    const bool isOperation = by == By::operation;
    const QString title = isOperation ? u"Success by operation"_s : u"Success by dependency"_s;
    m_model = new widgets::JsonTableModel(columnsOf(by), identityOf, this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(isOperation ? u"operations"_s : u"dependencies"_s);
    m_table->setAccessibleName(title);
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(1, new widgets::RateDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(1, Qt::AscendingOrder); // worst first
    m_table->setMinimumHeight(fontMetrics().height() * 11);
    widgets::setColumnWidths(*m_table, {0, 16, 10, 9, 12});
    new widgets::EmptyNote(m_table, u"No calls in this time."_s);
    auto *column = new QVBoxLayout(this);
    const int unit = fontMetrics().averageCharWidth();
    column->setContentsMargins(unit * 2, unit, unit * 2, unit);
    column->setSpacing(unit / 2);
    column->addWidget(widgets::heading(title));
    column->addWidget(m_table, 1);
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT opened(m_model->row(index.row())); });
}

// A row without a step counts runs, not attempts; it belongs to the chart.
void RateTable::setRows(const QJsonArray &rows)
{
    QJsonArray kept;
    const QString name = m_by == By::operation ? u"step"_s : u"dependency"_s;
    for (const QJsonValue &row : rows) {
        if (!row[name].toString().isEmpty())
            kept.append(row);
    }
    m_table->changeInPlace([&] { m_model->setRows(kept); });
}

} // namespace holdfast::overview
