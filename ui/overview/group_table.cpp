#include "ui/overview/group_table.h"

#include "ui/style/group_look.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/trend_delegate.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QVBoxLayout>

namespace holdfast::overview
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
constexpr int groupsShown = 5;
constexpr int trendColumn = 5;

JsonColumn groupCount(const QString &title, const QString &name)
{
    JsonColumn column{title, [name](const QJsonObject &row) {
                          return QLocale().toString(row[name].toInteger());
                      }};
    column.figure = [name](const QJsonObject &row) { return QVariant(row[name].toDouble()); };
    column.alignment = Qt::AlignRight | Qt::AlignVCenter;
    return column;
}

QVector<JsonColumn> groupTableColumns()
{
    JsonColumn status{u"Status"_s, [](const QJsonObject &row) {
                          return style::groupLook(row["status"_L1].toString()).text();
                      }};
    status.token = [](const QJsonObject &row) {
        return style::groupLook(row["status"_L1].toString()).token;
    };
    JsonColumn where{u"Where"_s, [](const QJsonObject &row) {
                         return u"%1 · %2"_s.arg(row["workflow"_L1].toString(),
                                                 row["step"_L1].toString());
                     }};
    JsonColumn reason{u"Reason"_s, [](const QJsonObject &row) {
                          return u"%1 · %2 · %3"_s.arg(row["class"_L1].toString(),
                                                       row["reason"_L1].toString(),
                                                       row["message"_L1].toString());
                      }};
    JsonColumn trend{u"Trend"_s, [](const QJsonObject &row) {
                         QStringList days;
                         for (const QJsonValue &day : row["trend"_L1].toArray())
                             days << QString::number(day.toInteger());
                         return days.join(u", "_s);
                     }};
    trend.figure = [](const QJsonObject &row) {
        return QVariant(row["trend"_L1].toArray().toVariantList());
    };
    return {status,
            where,
            reason,
            groupCount(u"Runs"_s, u"runs"_s),
            groupCount(u"7 days before"_s, u"runs_before"_s),
            trend};
}
} // namespace

GroupTable::GroupTable(QWidget *parent) : Panel(parent)
{
    setObjectName(u"topGroups"_s);
    m_model = new widgets::JsonTableModel(
        groupTableColumns(), [](const QJsonObject &row) { return row["id"_L1].toString(); }, this);
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"topGroupTable"_s);
    m_table->setAccessibleName(u"Top failure groups of the last seven days"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setItemDelegate(new widgets::CellDelegate(m_table));
    m_table->setItemDelegateForColumn(trendColumn, new widgets::TrendDelegate(m_table));
    m_table->setMinimumHeight(m_table->verticalHeader()->defaultSectionSize() * (groupsShown + 2));
    widgets::setColumnWidths(*m_table, {18, 34, 0, 10, 16, 14});
    m_empty = new widgets::EmptyNote(m_table, u"Reading…"_s);
    m_problem = new widgets::TokenLabel({}, Token::bad);
    m_problem->setObjectName(u"topGroupsProblem"_s);
    m_problem->setAccessibleName(u"What could not be read"_s);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *review = new QPushButton;
    widgets::setRoomyText(review, u"Weekly review"_s);
    review->setObjectName(u"toWeekly"_s);
    review->setAccessibleName(u"Decide on groups in the weekly review"_s);
    const int unit = fontMetrics().averageCharWidth();
    auto *top = new QHBoxLayout;
    top->addWidget(widgets::heading(u"Top failure groups, 7 days"_s));
    top->addStretch();
    top->addWidget(review);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit, unit * 2, unit);
    column->setSpacing(unit / 2);
    column->addLayout(top);
    column->addWidget(m_problem);
    column->addWidget(m_table, 1);
    connect(review, &QPushButton::clicked, this, &GroupTable::reviewWanted);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT opened(m_model->row(index.row())["id"_L1].toString());
    });
}

void GroupTable::setRows(const QJsonArray &groups)
{
    setProblem({});
    m_empty->setText(u"✔ No failure in seven days that nobody has settled."_s);
    QJsonArray kept;
    for (const QJsonValue &group : groups) {
        if (style::groupLook(group["status"_L1].toString()).needsPerson &&
            kept.size() < groupsShown)
            kept << group;
    }
    m_table->changeInPlace([&] { m_model->setRows(kept); });
}

void GroupTable::setProblem(const QString &problem)
{
    m_problem->setText(widgets::plainText(problem));
    m_problem->setVisible(!problem.isEmpty());
    if (!problem.isEmpty())
        m_empty->setText({}); // an empty list says nothing good of what could not be read
}

} // namespace holdfast::overview
