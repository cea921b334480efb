#include "ui/runs/filter_edit.h"

#include "ui/runs/filter_terms.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

FilterEdit::FilterEdit(QWidget *parent) : QLineEdit(parent)
{
    setObjectName(u"filter"_s);
    setAccessibleName(u"Filter"_s);
    setAccessibleDescription(u"Terms such as status:review or since:7d; Enter applies them."_s);
    setPlaceholderText(
        u"Filter: status:review  workflow:order  since:7d, or an id; Enter applies"_s);
    setClearButtonEnabled(true);
    setMaxLength(1000);
    m_candidates = new QStringListModel(this);
    m_completer = new QCompleter(m_candidates, this);
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->popup()->setAccessibleName(u"Completions"_s);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this,
            &FilterEdit::take);
    connect(this, &QLineEdit::textEdited, this, &FilterEdit::offer);
}

QStringList FilterEdit::offered() const
{
    return m_completer->popup()->isVisible() ? m_candidates->stringList() : QStringList();
}

void FilterEdit::offer()
{
    const Completion completion = completionAt(text(), cursorPosition(), m_words);
    if (completion.candidates.isEmpty()) {
        m_completer->popup()->hide();
        return;
    }
    m_candidates->setStringList(completion.candidates);
    QRect place = cursorRect();
    place.setWidth(fontMetrics().averageCharWidth() * 34);
    m_completer->complete(place);
}

void FilterEdit::take(const QString &candidate)
{
    const Completion completion = completionAt(text(), cursorPosition(), m_words);
    QString whole = text();
    whole.replace(completion.from, completion.to - completion.from, candidate);
    setText(whole);
    setCursorPosition(completion.from + int(candidate.size()));
    if (candidate.endsWith(u':'))
        offer();
}

// Tab goes on from the word to its values before it goes on to the next control.
bool FilterEdit::event(QEvent *event)
{
    if (event->type() == QEvent::KeyPress && m_completer->popup()->isVisible()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Tab) {
            const QModelIndex chosen = m_completer->popup()->currentIndex();
            const QString candidate =
                chosen.isValid() ? chosen.data().toString() : m_candidates->stringList().value(0);
            m_completer->popup()->hide();
            take(candidate);
            return true;
        }
    }
    return QLineEdit::event(event);
}

void FilterEdit::keyPressEvent(QKeyEvent *event)
{
    QAbstractItemView *popup = m_completer->popup();
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (popup->isVisible() && popup->currentIndex().isValid()) {
            event->ignore(); // the list takes it
            return;
        }
        popup->hide();
        Q_EMIT entered();
        return;
    case Qt::Key_Escape:
        if (popup->isVisible())
            popup->hide();
        else
            Q_EMIT leaveWanted();
        return;
    case Qt::Key_Down:
        if (!popup->isVisible()) {
            offer();
            return;
        }
        break;
    case Qt::Key_Backspace:
        if (text().isEmpty()) {
            Q_EMIT backWanted();
            return;
        }
        break;
    default: break;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace holdfast::runs
