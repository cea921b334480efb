// Every key of the console, as a table; made from the actions themselves, so it cannot be out of
// date.
#pragma once

#include <QDialog>
#include <QVector>

class QAction;

namespace holdfast::shell
{

class KeysDialog : public QDialog
{
    Q_OBJECT
public:
    KeysDialog(const QVector<QAction *> &actions, QWidget *parent);
};

} // namespace holdfast::shell
