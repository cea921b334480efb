#include "ui/runs/views_button.h"

#include "ui/widgets/plain_text.h"

#include <QJsonObject>
#include <QMenu>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype nameMax = 40;

const QVector<SavedView> &builtIn()
{
    static const QVector<SavedView> views{
        {u"All runs"_s, {}},
        {u"Needs a person"_s, u"status:review,compensation_failed"_s},
        {u"Not ended"_s, u"status:queued,running,waiting,review,compensating,held"_s},
        {u"Failed in 7 days"_s, u"status:failed,compensation_failed since:7d"_s},
        {u"Compensated in 7 days"_s, u"status:compensated since:7d"_s},
    };
    return views;
}

QString menuText(const QString &name)
{
    return widgets::plainText(name, nameMax).replace(u'&', u"&&"_s);
}
} // namespace

ViewsButton::ViewsButton(QWidget *parent) : QPushButton(parent)
{
    setObjectName(u"views"_s);
    setAutoDefault(false);
    setMenu(new QMenu(this));
    rebuild();
}

void ViewsButton::setViews(const QJsonArray &views)
{
    QVector<SavedView> saved;
    for (const QJsonValue &view : views)
        saved << SavedView{view["name"_L1].toString(), view["filter"_L1].toString()};
    if (saved == m_saved)
        return;
    m_saved = saved;
    rebuild();
}

void ViewsButton::setFilter(const QString &filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    rebuild();
}

QString ViewsButton::currentView() const
{
    for (const SavedView &view : m_saved) {
        if (view.filter == m_filter)
            return view.name;
    }
    return {};
}

bool ViewsButton::isSaved(const QString &name) const
{
    return std::any_of(m_saved.begin(), m_saved.end(),
                       [&](const SavedView &view) { return view.name == name; });
}

void ViewsButton::rebuild()
{
    menu()->clear();
    QString shown = u"Views"_s;
    const auto add = [&](const SavedView &view) {
        QAction *action = menu()->addAction(menuText(view.name));
        action->setCheckable(true);
        action->setChecked(view.filter == m_filter);
        if (view.filter == m_filter)
            shown = menuText(view.name);
        connect(action, &QAction::triggered, this,
                [this, filter = view.filter] { Q_EMIT chosen(filter); });
    };
    for (const SavedView &view : builtIn())
        add(view);
    if (!m_saved.isEmpty())
        menu()->addSection(u"Saved"_s);
    for (const SavedView &view : std::as_const(m_saved))
        add(view);
    menu()->addSeparator();
    menu()
        ->addAction(u"Save view…"_s, this, &ViewsButton::saveWanted)
        ->setEnabled(!m_filter.isEmpty());
    QMenu *removal = menu()->addMenu(u"Delete view"_s);
    removal->setEnabled(!m_saved.isEmpty());
    for (const SavedView &view : std::as_const(m_saved))
        removal->addAction(menuText(view.name), this,
                           [this, name = view.name] { Q_EMIT deleteWanted(name); });
    setText(shown);
    setAccessibleName(u"View: %1"_s.arg(shown));
}

} // namespace holdfast::runs
