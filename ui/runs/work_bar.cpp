#include "ui/runs/work_bar.h"

#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using style::Token;

WorkBar::WorkBar(const QString &name, QWidget *parent) : QWidget(parent)
{
    setObjectName(name);
    m_text = new widgets::ElidedLabel;
    m_text->setObjectName(name + u"Text"_s);
    m_text->setAccessibleName(u"What is being done"_s);
    m_progress = new QProgressBar;
    m_progress->setObjectName(name + u"Progress"_s);
    m_progress->setAccessibleName(u"Progress"_s);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
    const auto button = [&](const QString &text, const QString &part) {
        auto *made = new QPushButton(text);
        made->setObjectName(name + part);
        made->setAccessibleName(text);
        made->setAutoDefault(false);
        return made;
    };
    m_stop = button(u"Stop"_s, u"Stop"_s);
    m_details = button(u"Details…"_s, u"Details"_s);
    m_close = button(u"Close"_s, u"Close"_s);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_text, 1);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_progress, m_stop, m_details, m_close})
        row->addWidget(widget);
    connect(m_stop, &QPushButton::clicked, this, &WorkBar::stopWanted);
    connect(m_close, &QPushButton::clicked, this, &QWidget::hide);
    connect(m_details, &QPushButton::clicked, this, &WorkBar::showDetails);
    hide();
}

QString WorkBar::text() const { return m_text->text(); }

void WorkBar::setText(const QString &text, Token token)
{
    m_token = token;
    m_text->setWhole(text);
    widgets::setTextColour(m_text, style::colour(token));
}

void WorkBar::begin(const QString &text)
{
    m_isWorking = true;
    setText(text, Token::text);
    m_progress->setRange(0, 0);
    m_progress->show();
    m_stop->show();
    m_details->hide();
    m_close->hide();
    show();
}

void WorkBar::setProgress(const QString &text, qint64 done, qint64 total)
{
    constexpr int parts = 1000;
    m_text->setWhole(text);
    m_progress->setRange(0, total > 0 ? parts : 0);
    if (total > 0)
        m_progress->setValue(int(std::min(done, total) * parts / total));
}

void WorkBar::end(const QString &text, bool isGood, const QString &details)
{
    m_isWorking = false;
    m_detailText = details;
    setText((isGood ? u"✔ "_s : u"▲ "_s) + text, isGood ? Token::good : Token::bad);
    m_progress->hide();
    m_stop->hide();
    m_details->setVisible(!details.isEmpty());
    m_close->show();
}

void WorkBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        widgets::setTextColour(m_text, style::colour(m_token));
}

void WorkBar::showDetails()
{
    auto *dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(u"workDetails"_s);
    dialog->setWindowTitle(u"Details"_s);
    auto *view = new widgets::CodeView(u"Details"_s);
    view->setCode(m_detailText);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *column = new QVBoxLayout(dialog);
    column->addWidget(view);
    column->addWidget(buttons);
    dialog->resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 18);
    dialog->open();
}

} // namespace holdfast::runs
