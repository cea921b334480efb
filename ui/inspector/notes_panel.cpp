#include "ui/inspector/notes_panel.h"

#include "ui/inspector/record_columns.h"
#include "ui/shell/permits.h"
#include "ui/widgets/wrap_label.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int noteMax = 1000;
}

NotesPanel::NotesPanel(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"notes"_s);
    m_model = new widgets::JsonTableModel(
        noteColumns(),
        [](const QJsonObject &row) {
            return u"%1/%2/%3"_s.arg(row["seq"_L1].toInteger())
                .arg(row["at"_L1].toString(), row["detail"_L1]["text"_L1].toString());
        },
        this);
    m_table = recordTable(u"notesTable"_s, u"Notes"_s, m_model, {16, 16, 40});
    m_edit = new QLineEdit;
    m_edit->setObjectName(u"noteText"_s);
    m_edit->setAccessibleName(u"New note"_s);
    m_edit->setPlaceholderText(u"Write a note for whoever looks next; it stays with the run"_s);
    m_edit->setMaxLength(noteMax);
    m_add = new QPushButton(u"Add note"_s);
    shell::Permits::name(m_add, u"note"_s);
    m_add->setObjectName(u"addNote"_s);
    m_add->setAccessibleName(u"Add note"_s);
    m_add->setEnabled(false);
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"noteProblem"_s);
    m_problem->setToken(style::Token::bad);
    m_problem->hide();
    auto *line = new QHBoxLayout;
    line->addWidget(m_edit, 1);
    line->addWidget(m_add);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_table, 1);
    column->addWidget(m_problem);
    column->addLayout(line);
    connect(m_edit, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_add->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_edit, &QLineEdit::returnPressed, this, &NotesPanel::add);
    connect(m_add, &QPushButton::clicked, this, &NotesPanel::add);
}

void NotesPanel::setStory(const RunStory &story)
{
    m_table->changeInPlace([&] { m_model->setRows(story.notes()); });
}

void NotesPanel::focusEdit() { m_edit->setFocus(Qt::ShortcutFocusReason); }

void NotesPanel::add()
{
    const QString text = m_edit->text().trimmed();
    if (text.isEmpty())
        return;
    m_add->setEnabled(false);
    m_problem->hide();
    Q_EMIT addWanted(text);
}

void NotesPanel::added() { m_edit->clear(); }

void NotesPanel::showProblem(const QString &problem)
{
    m_problem->setText(u"▲ "_s + problem);
    m_problem->show();
    m_add->setEnabled(true);
}

} // namespace holdfast::inspector
