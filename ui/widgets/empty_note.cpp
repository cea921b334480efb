#include "ui/widgets/empty_note.h"

#include <QAbstractItemView>
#include <QEvent>

namespace holdfast::widgets
{

EmptyNote::EmptyNote(QAbstractItemView *view, const QString &text)
    : TokenLabel(text, style::Token::muted, view->viewport()), m_view(view)
{
    setObjectName(view->objectName() + QStringLiteral("Empty"));
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    const QAbstractItemModel *model = view->model();
    connect(model, &QAbstractItemModel::rowsInserted, this, &EmptyNote::place);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &EmptyNote::place);
    connect(model, &QAbstractItemModel::modelReset, this, &EmptyNote::place);
    view->viewport()->installEventFilter(this);
    place();
}

bool EmptyNote::eventFilter(QObject *, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
        place();
    return false;
}

void EmptyNote::place()
{
    const int gap = fontMetrics().averageCharWidth() * 2;
    setGeometry(m_view->viewport()->rect().adjusted(gap, gap, -gap, -gap));
    setVisible(m_view->model()->rowCount() == 0);
}

} // namespace holdfast::widgets
