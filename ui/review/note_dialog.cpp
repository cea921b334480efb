#include "ui/review/note_dialog.h"

#include "ui/widgets/elided_label.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;

NoteDialog::NoteDialog(const QString &about, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(u"Note"_s);
    setObjectName(u"noteDialog"_s);
    auto *label = new widgets::ElidedLabel(u"noteAbout"_s, u"What the note is about"_s);
    label->setWhole(u"Note on %1"_s.arg(about));
    m_text = new QPlainTextEdit;
    m_text->setObjectName(u"noteText"_s);
    m_text->setAccessibleName(u"Note"_s);
    m_text->setTabChangesFocus(true);
    m_text->setPlaceholderText(u"What you found out. Everybody who opens the run reads it."_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *add = buttons->addButton(u"Add note"_s, QDialogButtonBox::AcceptRole);
    add->setObjectName(u"addNote"_s);
    add->setAccessibleName(u"Add the note"_s);
    add->setEnabled(false);
    buttons->button(QDialogButtonBox::Cancel)->setAccessibleName(u"Cancel"_s);
    auto *column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    const QFontMetrics metrics = fontMetrics();
    resize(metrics.averageCharWidth() * 70, metrics.height() * 14);
    connect(m_text, &QPlainTextEdit::textChanged, this,
            [this, add] { add->setEnabled(!m_text->toPlainText().trimmed().isEmpty()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT noted(m_text->toPlainText().trimmed());
        accept();
    });
}

} // namespace holdfast::review
