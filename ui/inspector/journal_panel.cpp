#include "ui/inspector/journal_panel.h"

#include "ui/inspector/record_columns.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QJsonDocument>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;

JournalPanel::JournalPanel(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"journal"_s);
    // One journal row may hold several entries of the same kind; their place tells them apart.
    m_model = new widgets::JsonTableModel(
        journalColumns(), [](const QJsonObject &row) { return row["place"_L1].toString(); }, this);
    m_table = recordTable(u"journalTable"_s, u"Journal"_s, m_model, {5, 11, 19, 20, 10, 26, 14});
    m_raw = new widgets::CodeView(u"Journal as JSON"_s);
    m_raw->setObjectName(u"journalRaw"_s);
    m_raw->setFrameShape(QFrame::NoFrame);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_raw);
    m_toggle = new QCheckBox(u"As &JSON"_s);
    m_toggle->setObjectName(u"journalToggle"_s);
    m_toggle->setAccessibleName(u"Show the journal as JSON"_s);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_toggle, 0, Qt::AlignRight);
    column->addWidget(m_stack, 1);
    connect(m_toggle, &QCheckBox::toggled, this, &JournalPanel::setRaw);
}

void JournalPanel::setStory(const RunStory &story)
{
    m_journal = story.whole["journal"_L1].toArray();
    QJsonArray rows;
    for (qsizetype at = 0; at < m_journal.size(); ++at) {
        QJsonObject row = m_journal.at(at).toObject();
        row.insert(u"place"_s, QString::number(at));
        rows.append(row);
    }
    m_table->changeInPlace([&] { m_model->setRows(rows); });
    if (m_toggle->isChecked())
        showRaw();
}

void JournalPanel::setRaw(bool raw)
{
    if (raw)
        showRaw();
    m_toggle->setChecked(raw);
    m_stack->setCurrentIndex(raw ? 1 : 0);
}

void JournalPanel::showRaw()
{
    const int place = m_raw->verticalScrollBar()->value();
    m_raw->setCode(QString::fromUtf8(QJsonDocument(m_journal).toJson()));
    m_raw->verticalScrollBar()->setValue(place);
}

} // namespace holdfast::inspector
