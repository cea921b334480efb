// What a person can set: the connection, how the console looks, its keys; and how the engine and
// the database are. Appearance takes effect at once through Preferences; connecting is the
// program's business, which hears of it by a signal and answers with setters.
#pragma once

#include "ui/shell/page.h"

class QAction;
class QCheckBox;
class QComboBox;
class QTabWidget;

namespace holdfast::widgets
{
class JsonTableModel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::settings
{

class ConnectionForm;
class DesktopView;
class EngineView;
class Preferences;

class SettingsPage : public shell::Page
{
    Q_OBJECT
public:
    SettingsPage(bridge::Bridge &bridge, Preferences &preferences);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"tab": "connection" …}
    QJsonObject where() const override;
    QWidget *first() override;

    ConnectionForm &connection() { return *m_connection; }
    DesktopView &desktop() { return *m_desktop; }
    void setKeychain(bool isThere, const QString &why = {});
    void setConnectionState(const QString &sentence, bool isBad = false);
    void setConnecting(bool busy); // the buttons wait
    void setShortcuts(const QVector<QAction *> &actions);

Q_SIGNALS:
    // The address holds no password.
    void connectWanted(const QString &url, const QString &password, bool remember);
    void testWanted(const QString &url, const QString &password, bool remember);

private:
    void build();
    QWidget *buildConnection();
    QWidget *buildAppearance();
    QWidget *buildKeys();
    QWidget *buildAbout();
    void addTab(const QString &name, const QString &title, QWidget *inside);
    void showPreferences();
    void askEngine();
    void showEngine();

    Preferences &m_preferences;
    bool m_isAsking = false;
    bool m_isWanted = false;
    QStringList m_names; // of the tabs

    QTabWidget *m_tabs = nullptr;
    ConnectionForm *m_connection = nullptr;
    QComboBox *m_theme = nullptr;
    QComboBox *m_scale = nullptr;
    QCheckBox *m_letters = nullptr;
    DesktopView *m_desktop = nullptr;
    EngineView *m_engine = nullptr;
    widgets::JsonTableModel *m_keys = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
};

} // namespace holdfast::settings
