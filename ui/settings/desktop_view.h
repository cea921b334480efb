// How the console behaves as a program of the desktop: whether it notifies, and what closing the
// window does while its engine runs. Says plainly when the desktop has nobody to show a
// notification.
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::settings
{

class Preferences;

class DesktopView : public QWidget
{
    Q_OBJECT
public:
    explicit DesktopView(Preferences &preferences, QWidget *parent = nullptr);

    // `problem` is one sentence; empty: there is a service.
    void setNotificationService(bool isThere, const QString &problem);

private:
    void build();
    void showPreferences();

    Preferences &m_preferences;
    QCheckBox *m_notify = nullptr;
    widgets::WrapLabel *m_service = nullptr;
    QComboBox *m_closing = nullptr;
};

} // namespace holdfast::settings
