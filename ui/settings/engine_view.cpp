#include "ui/settings/engine_view.h"

#include "ui/widgets/columns.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"

#include <QJsonArray>
#include <QVBoxLayout>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
JsonColumn text(const QString &title, const QString &name)
{
    return {title,
            [name](const QJsonObject &row) { return row.value(name).toVariant().toString(); }};
}

JsonColumn time(const QString &title, const QString &name)
{
    return {title, [name](const QJsonObject &row) {
                return widgets::shortTime(widgets::instantOf(row.value(name)));
            }};
}

QVector<JsonColumn> workerColumns()
{
    JsonColumn state{u"State"_s, [](const QJsonObject &row) {
                         const QString word = row.value("state"_L1).toString();
                         if (row.value("alive"_L1).toBool())
                             return u"▶ "_s + word;
                         return word == "gone"_L1 ? u"○ gone"_s : u"✖ lost, lease ran out"_s;
                     }};
    state.token = [](const QJsonObject &row) {
        if (row.value("alive"_L1).toBool())
            return Token::good;
        return row.value("state"_L1) == u"gone"_s ? Token::muted : Token::attention;
    };
    return {state,
            text(u"Host"_s, u"host"_s),
            text(u"Process"_s, u"pid"_s),
            text(u"Version"_s, u"program_version"_s),
            time(u"Started"_s, u"started_at"_s),
            time(u"Lease until"_s, u"lease_until"_s),
            text(u"Worker"_s, u"id"_s)};
}

QVector<JsonColumn> problemColumns()
{
    JsonColumn severity{
        u"Severity"_s, [](const QJsonObject &row) {
            const QString word = row.value("severity"_L1).toString();
            return (word == "notice"_L1 ? u"○ "_s : word == "error"_L1 ? u"✖ "_s : u"▲ "_s) + word;
        }};
    severity.token = [](const QJsonObject &row) {
        const QString word = row.value("severity"_L1).toString();
        return word == "notice"_L1  ? Token::muted
               : word == "error"_L1 ? Token::bad
                                    : Token::attention;
    };
    return {severity, text(u"What"_s, u"what"_s), text(u"What is safe to do"_s, u"safe"_s)};
}

widgets::SteadyTable *tableOf(widgets::JsonTableModel *model, const QString &objectName,
                              const QString &name)
{
    auto *table = new widgets::SteadyTable;
    table->setObjectName(objectName);
    table->setAccessibleName(name);
    table->setModel(model);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    return table;
}
} // namespace

EngineView::EngineView(QWidget *parent) : QWidget(parent)
{
    m_engine = new widgets::ElidedLabel;
    m_engine->setObjectName(u"engineState"_s);
    m_engine->setAccessibleName(u"Engine"_s);
    m_facts = new widgets::ElidedLabel;
    m_facts->setObjectName(u"engineFacts"_s);
    m_facts->setAccessibleName(u"Database"_s);
    m_workers = new widgets::JsonTableModel(
        workerColumns(), [](const QJsonObject &row) { return row.value("id"_L1).toString(); },
        this);
    m_problems = new widgets::JsonTableModel(
        problemColumns(),
        [](const QJsonObject &row) {
            return row.value("severity"_L1).toString() + row.value("what"_L1).toString();
        },
        this);
    auto *workerTable = tableOf(m_workers, u"workers"_s, u"Workers"_s);
    widgets::setColumnWidths(*workerTable, {24, 20, 10, 10, 15, 15, 0});
    new widgets::EmptyNote(workerTable, u"No worker has ever run on this database."_s);
    auto *problemTable = tableOf(m_problems, u"doctor"_s, u"What the doctor says"_s);
    widgets::setColumnWidths(*problemTable, {13, 0, 70});
    new widgets::EmptyNote(problemTable, u"Nothing is wrong."_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_engine);
    column->addWidget(m_facts);
    column->addSpacing(fontMetrics().height() / 2);
    column->addWidget(widgets::heading(u"Workers"_s));
    column->addWidget(workerTable, 1);
    column->addWidget(widgets::heading(u"What the doctor says"_s));
    column->addWidget(problemTable, 1);
}

void EngineView::setEngine(const QString &sentence) { m_engine->setWhole(sentence); }
void EngineView::setWorkers(const QJsonArray &workers) { m_workers->setRows(workers); }

void EngineView::setReport(const QJsonObject &doctor)
{
    const int alive = doctor.value("workers_alive"_L1).toInt();
    m_facts->setWhole(u"%1 · schema %2 · %3"_s.arg(
        doctor.value("database"_L1).toString(), doctor.value("schema"_L1).toVariant().toString(),
        alive == 1 ? u"1 worker alive"_s : u"%1 workers alive"_s.arg(alive)));
    m_problems->setRows(doctor.value("problems"_L1).toArray());
}

} // namespace holdfast::settings
