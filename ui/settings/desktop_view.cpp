#include "ui/settings/desktop_view.h"

#include "ui/settings/preferences.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;
using style::Token;

DesktopView::DesktopView(Preferences &preferences, QWidget *parent)
    : QWidget(parent), m_preferences(preferences)
{
    build();
    connect(m_notify, &QCheckBox::clicked, &m_preferences, &Preferences::setNotifies);
    connect(m_closing, &QComboBox::activated, this,
            [this] { m_preferences.setClosing(m_closing->currentData().toString()); });
    connect(&m_preferences, &Preferences::changed, this, &DesktopView::showPreferences);
    showPreferences();
    setNotificationService(false, u"The desktop has not been asked yet."_s);
}

void DesktopView::build()
{
    m_notify = new QCheckBox(u"Notify me when something begins to wait for a person"_s);
    m_notify->setObjectName(u"notify"_s);
    m_notify->setAccessibleName(m_notify->text());
    auto *when = new widgets::WrapLabel(u"notifyWhen"_s, u"When it notifies"_s);
    when->setToken(Token::muted);
    when->setText(u"Ambiguous outcomes, approvals, failed compensations, tripwires, open breakers, "
                  "and pauses by others. Never for what went well."_s);
    m_service = new widgets::WrapLabel(u"notifyService"_s, u"Notification service"_s);
    m_closing = new QComboBox;
    m_closing->setObjectName(u"closing"_s);
    m_closing->setAccessibleName(u"Closing the window while the engine runs"_s);
    m_closing->addItem(u"Asks"_s, u"ask"_s);
    m_closing->addItem(u"Keeps the engine running"_s, u"keep"_s);
    m_closing->addItem(u"Quits"_s, u"quit"_s);
    auto *note = new widgets::WrapLabel(u"closingNote"_s, u"What quitting does"_s);
    note->setToken(Token::muted);
    note->setText(u"Ctrl+Q always quits: attempts under way end first, nothing new starts."_s);
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(new widgets::TokenLabel(u"Notifications"_s, Token::muted), m_notify);
    form->addRow(QString(), when);
    form->addRow(QString(), m_service);
    auto *closing = new widgets::TokenLabel(u"Closing the window"_s, Token::muted);
    closing->setBuddy(m_closing);
    form->addRow(closing, m_closing);
    form->addRow(QString(), note);
    m_closing->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setMaximumWidth(fontMetrics().averageCharWidth() * 110);
}

void DesktopView::setNotificationService(bool isThere, const QString &problem)
{
    m_service->setToken(isThere ? Token::muted : Token::attention);
    m_service->setText(isThere ? u"This desktop shows notifications."_s
                               : u"▲ %1 Nothing is shown on the desktop; the console shows it "
                                 "all."_s.arg(problem));
}

void DesktopView::showPreferences()
{
    m_notify->setChecked(m_preferences.notifies());
    m_closing->setCurrentIndex(m_closing->findData(m_preferences.closing()));
}

} // namespace holdfast::settings
