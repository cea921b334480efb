#include "app/console/progress_window.h"

#include "ui/style/icons.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

ProgressWindow::ProgressWindow(const QString &title, const QString &sentence, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"progress"_s);
    setWindowTitle(u"Holdfast"_s);
    auto *head = widgets::plainLabel(u"progressTitle"_s, u"What is being done"_s);
    head->setText(title);
    QFont face = head->font();
    face.setPointSizeF(face.pointSizeF() * 1.4);
    face.setBold(true);
    head->setFont(face);
    m_sentence = widgets::plainLabel(u"progressSentence"_s, u"How it is done"_s);
    m_sentence->setText(sentence);
    m_sentence->setWordWrap(true);
    m_bar = new QProgressBar;
    m_bar->setObjectName(u"progressBar"_s);
    m_bar->setAccessibleName(title);
    m_bar->setRange(0, 100);
    m_cancel = new QPushButton(u"Cancel"_s);
    m_cancel->setObjectName(u"progressCancel"_s);
    m_cancel->setAccessibleName(u"Cancel"_s);
    connect(m_cancel, &QPushButton::clicked, this, &ProgressWindow::reject);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_cancel);
    auto *column = new QVBoxLayout(this);
    const int unit = fontMetrics().height();
    column->setContentsMargins(unit * 2, unit * 2, unit * 2, unit);
    column->setSpacing(unit);
    column->addWidget(head);
    column->addWidget(m_sentence);
    column->addWidget(m_bar);
    column->addLayout(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 70);
}

void ProgressWindow::setPercent(int percent) { m_bar->setValue(percent); }

void ProgressWindow::reject()
{
    if (!m_cancel->isEnabled())
        return;
    m_cancel->setEnabled(false);
    m_sentence->setText(u"Stopping…"_s);
    Q_EMIT cancelled();
}

} // namespace holdfast::console
