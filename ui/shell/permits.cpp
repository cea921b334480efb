#include "ui/shell/permits.h"

#include "ui/widgets/plain_text.h"

#include <QAction>
#include <QEvent>
#include <QTimer>
#include <QWidget>

namespace holdfast::shell
{

namespace
{
constexpr const char *operationOf = "operation";
constexpr const char *isWatched = "permitIsWatched";
} // namespace

Permits::Permits(QWidget *root) : QObject(root), m_root(root) {}

void Permits::name(QObject *button, const QString &operation)
{
    button->setProperty(operationOf, operation);
}

QString Permits::refusalOf(const QObject *object) const
{
    return widgets::plainText(m_refused.value(object->property(operationOf).toString()).toString());
}

// Most logins may do everything, and then nothing is looked for. Pages that hear of the same news
// may make buttons of it, so theirs are waited for.
void Permits::setRefused(const QJsonObject &refused)
{
    m_refused = refused;
    if (!m_refused.isEmpty())
        QTimer::singleShot(0, this, &Permits::apply);
}

void Permits::apply()
{
    const auto widgets = m_root->findChildren<QWidget *>();
    for (QWidget *widget : widgets) {
        if (widget->property(operationOf).isValid())
            watch(widget);
    }
    const auto actions = m_root->findChildren<QAction *>();
    for (QAction *action : actions) {
        if (action->property(operationOf).isValid())
            watch(action);
    }
}

void Permits::watch(QWidget *widget)
{
    if (!widget->property(isWatched).toBool()) {
        widget->setProperty(isWatched, true);
        widget->installEventFilter(this);
    }
    keepOut(widget);
}

void Permits::watch(QAction *action)
{
    if (!action->property(isWatched).toBool()) {
        action->setProperty(isWatched, true);
        connect(action, &QAction::changed, this, [this, action] { keepOut(action); });
    }
    keepOut(action);
}

void Permits::keepOut(QWidget *widget) const
{
    const QString why = refusalOf(widget);
    if (why.isEmpty())
        return;
    widget->setEnabled(false);
    if (widget->toolTip() != why)
        widget->setToolTip(why);
}

void Permits::keepOut(QAction *action) const
{
    const QString why = refusalOf(action);
    if (why.isEmpty() || (!action->isEnabled() && action->toolTip() == why))
        return;
    action->setToolTip(why);
    action->setEnabled(false);
}

bool Permits::eventFilter(QObject *watched, QEvent *event)
{
    const bool changes =
        event->type() == QEvent::EnabledChange || event->type() == QEvent::ToolTipChange;
    if (auto *widget = qobject_cast<QWidget *>(watched); widget && changes)
        keepOut(widget);
    return QObject::eventFilter(watched, event);
}

} // namespace holdfast::shell
