#include "ui/runs/selection_bar.h"

#include "ui/widgets/roomy.h"
#include "ui/widgets/token_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
QPushButton *buttonOf(QAction *action)
{
    QString text = action->text();
    auto *button = new QPushButton;
    widgets::setRoomyText(button, text);
    button->setObjectName(action->objectName() + u"Button"_s);
    button->setAccessibleName(text.remove(u'&'));
    button->setAutoDefault(false);
    const QString key = action->shortcut().toString(QKeySequence::NativeText);
    button->setToolTip(key.isEmpty() ? QString() : key);
    const auto follow = [button, action] { button->setEnabled(action->isEnabled()); };
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
    return button;
}
} // namespace

SelectionBar::SelectionBar(const QVector<QAction *> &acts, QAction *selectAll, QWidget *parent)
    : QWidget(parent)
{
    m_text = new widgets::TokenLabel({}, style::Token::muted);
    m_text->setObjectName(u"selected"_s);
    m_text->setAccessibleName(u"What is selected"_s);
    m_all = new QPushButton;
    m_all->setObjectName(u"selectAllThatMatch"_s);
    m_all->setFlat(true);
    m_all->setAutoDefault(false);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_text);
    row->addWidget(m_all);
    row->addStretch(1);
    for (QAction *act : acts)
        row->addWidget(buttonOf(act));
    connect(m_all, &QPushButton::clicked, selectAll, &QAction::trigger);
}

void SelectionBar::showSelection(const QString &selected, const QString &all, bool offersAll)
{
    m_text->setText(selected);
    m_all->setText(u"Select %1"_s.arg(all));
    m_all->setAccessibleName(m_all->text());
    m_all->setVisible(offersAll);
}

QString SelectionBar::text() const { return m_text->text(); }

} // namespace holdfast::runs
