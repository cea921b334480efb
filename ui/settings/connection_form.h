// Where the run database is. It asks to test and to connect; the program does both and says here
// what came of it. A password goes to the keychain or nowhere, and the form says which.
#pragma once

#include "ui/settings/database_address.h"

#include <QWidget>

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;
class QStackedWidget;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::settings
{

class ConnectionForm : public QWidget
{
    Q_OBJECT
public:
    explicit ConnectionForm(QWidget *parent = nullptr);

    void setAddress(const DatabaseAddress &address, bool remembers);
    DatabaseAddress address() const;
    bool remembers() const; // the password is wanted in the keychain, and can go there
    // Whether a password can be kept; where not, `why` is one sentence.
    void setKeychain(bool isThere, const QString &why);
    void setState(const QString &sentence, bool isBad);
    void setBusy(bool busy);

Q_SIGNALS:
    void connectWanted(const QString &url, const QString &password, bool remember);
    void testWanted(const QString &url, const QString &password, bool remember);

private:
    void build();
    QWidget *buildFile();
    QWidget *buildServer();
    QLineEdit *addLine(QFormLayout &form, const QString &label, const QString &objectName);
    void showKind();
    void showHint();
    void check();
    void chooseFile();

    QRadioButton *m_isFile = nullptr;
    QRadioButton *m_isServer = nullptr;
    QStackedWidget *m_stack = nullptr;
    QLineEdit *m_path = nullptr;
    QLineEdit *m_host = nullptr;
    QSpinBox *m_port = nullptr;
    QLineEdit *m_database = nullptr;
    QLineEdit *m_user = nullptr;
    QLineEdit *m_password = nullptr;
    QLineEdit *m_certificate = nullptr;
    QCheckBox *m_remember = nullptr;
    widgets::WrapLabel *m_keychain = nullptr;
    widgets::WrapLabel *m_state = nullptr;
    QPushButton *m_test = nullptr;
    QPushButton *m_connect = nullptr;
    bool m_isBusy = false;
    bool m_isKept = false; // a password for this address is in the keychain
};

} // namespace holdfast::settings
