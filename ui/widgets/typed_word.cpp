#include "ui/widgets/typed_word.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/wrap_label.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace holdfast::widgets
{

using namespace Qt::StringLiterals;

namespace
{
constexpr const char *guardName = "guardedByName";
constexpr qsizetype wordMax = 120;

QString guardOf(const QWidget *widget)
{
    for (; widget; widget = widget->parentWidget()) {
        if (const QVariant name = widget->property(guardName); name.isValid())
            return name.toString();
    }
    return {};
}
} // namespace

TypedWord::TypedWord(const QString &fieldName, QWidget *parent) : QWidget(parent)
{
    m_label = new WrapLabel(fieldName + u"Label"_s, u"What to type"_s);
    m_field = new QLineEdit;
    m_field->setObjectName(fieldName);
    m_field->setAccessibleName(u"Type the word asked for"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_label);
    column->addWidget(m_field);
    setFocusProxy(m_field);
    hide();
    connect(m_field, &QLineEdit::textChanged, this, &TypedWord::changed);
}

void TypedWord::guard(QWidget *window, const QString &name)
{
    window->setProperty(guardName, name);
}

// What is compared is what is shown: a name with something invisible in it can be typed as well.
void TypedWord::ask(const QWidget *dialog, const QString &words)
{
    const QString place = guardOf(dialog);
    m_word = plainText((place + u' ' + words).trimmed(), wordMax);
    const QString sentence = u"%1ype “%2” to confirm"_s.arg(
        place.isEmpty() ? u"T"_s : u"This is PRODUCTION. T"_s, m_word);
    m_label->setToken(place.isEmpty() ? style::Token::text : style::Token::bad);
    m_label->setText(sentence);
    m_field->setAccessibleName(sentence);
    setVisible(!m_word.isEmpty());
}

bool TypedWord::isTyped() const { return m_word.isEmpty() || m_field->text().trimmed() == m_word; }

QString TypedWord::hint() const
{
    return isTyped() ? QString() : u"Type “%1” first."_s.arg(m_word);
}

} // namespace holdfast::widgets
