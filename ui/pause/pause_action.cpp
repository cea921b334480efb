#include "ui/pause/pause_action.h"

#include "ui/pause/pause_dialog.h"

#include <QAction>
#include <QPointer>
#include <memory>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;

QAction *makePauseAction(bridge::Bridge &bridge, QWidget *parent,
                         std::function<PauseScope()> context)
{
    auto *action = new QAction(u"Pause…"_s, parent);
    action->setObjectName(u"pauseAction"_s);
    action->setShortcut(QKeySequence(u"Ctrl+Alt+P"_s));
    action->setShortcutContext(Qt::ApplicationShortcut);
    action->setToolTip(u"Stop sending: everything, a workflow or a dependency (Ctrl+Alt+P)"_s);
    const auto open = std::make_shared<QPointer<PauseDialog>>();
    QObject::connect(action, &QAction::triggered, parent, [&bridge, parent, context, open] {
        if (*open) {
            (*open)->raise();
            (*open)->activateWindow();
            return;
        }
        auto *dialog = new PauseDialog(bridge, context ? context() : PauseScope(), parent);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        *open = dialog;
        dialog->open();
    });
    return action;
}

} // namespace holdfast::pause
