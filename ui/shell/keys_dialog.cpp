#include "ui/shell/keys_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

KeysDialog::KeysDialog(const QVector<QAction *> &actions, QWidget *parent) : QDialog(parent)
{
    setObjectName(u"keys"_s);
    setWindowTitle(u"Keys"_s);
    auto *column = new QVBoxLayout(this);
    auto *table = new QTableWidget(0, 2, this);
    table->setAccessibleName(u"Keys and what they do"_s);
    table->setHorizontalHeaderLabels({u"Key"_s, u"Does"_s});
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    for (const QAction *action : actions) {
        if (action->shortcut().isEmpty())
            continue;
        const int row = table->rowCount();
        table->insertRow(row);
        QString text = action->text();
        text.remove(u'&');
        table->setItem(row, 0,
                       new QTableWidgetItem(action->shortcut().toString(QKeySequence::NativeText)));
        table->setItem(row, 1, new QTableWidgetItem(text));
    }
    table->sortItems(1);
    table->resizeColumnToContents(0);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(table);
    column->addWidget(buttons);
    const int em = fontMetrics().horizontalAdvance(u'm');
    resize(em * 46, fontMetrics().height() * 30);
}

} // namespace holdfast::shell
