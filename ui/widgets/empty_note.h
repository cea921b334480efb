// What an empty list says instead of rows: a sentence in the middle of it, gone with the first row.
#pragma once

#include "ui/widgets/token_label.h"

class QAbstractItemView;

namespace holdfast::widgets
{

class EmptyNote : public TokenLabel
{
    Q_OBJECT
public:
    // The view has its model already.
    EmptyNote(QAbstractItemView *view, const QString &text);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    QAbstractItemView *m_view;
};

} // namespace holdfast::widgets
