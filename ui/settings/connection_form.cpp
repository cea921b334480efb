#include "ui/settings/connection_form.h"

#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStackedWidget>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int lineMax = 1000;
}

ConnectionForm::ConnectionForm(QWidget *parent) : QWidget(parent)
{
    build();
    connect(m_isFile, &QRadioButton::toggled, this, &ConnectionForm::showKind);
    connect(m_test, &QPushButton::clicked, this,
            [this] { Q_EMIT testWanted(address().url(), m_password->text(), remembers()); });
    connect(m_connect, &QPushButton::clicked, this,
            [this] { Q_EMIT connectWanted(address().url(), m_password->text(), remembers()); });
    for (const QLineEdit *line : {m_path, m_host, m_database, m_user, m_certificate})
        connect(line, &QLineEdit::textChanged, this, &ConnectionForm::check);
    connect(m_remember, &QCheckBox::toggled, this, &ConnectionForm::showHint);
    setKeychain(false, u"It is not known yet whether there is a keychain."_s);
    showKind();
}

QLineEdit *ConnectionForm::addLine(QFormLayout &form, const QString &label,
                                   const QString &objectName)
{
    auto *line = new QLineEdit;
    line->setObjectName(objectName);
    line->setAccessibleName(label);
    line->setMaxLength(lineMax);
    auto *name = new widgets::TokenLabel(label, Token::muted);
    name->setBuddy(line);
    form.addRow(name, line);
    return line;
}

void ConnectionForm::build()
{
    m_isFile = new QRadioButton(u"SQLite file, for one machine"_s);
    m_isFile->setObjectName(u"isFile"_s);
    m_isFile->setAccessibleName(m_isFile->text());
    m_isServer = new QRadioButton(u"PostgreSQL, shared by many"_s);
    m_isServer->setObjectName(u"isServer"_s);
    m_isServer->setAccessibleName(m_isServer->text());
    m_isFile->setChecked(true);
    m_stack = new QStackedWidget;
    m_stack->addWidget(buildFile());
    m_stack->addWidget(buildServer());
    m_stack->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_test = new QPushButton(u"Test"_s);
    m_test->setObjectName(u"test"_s);
    m_test->setAccessibleName(u"Test the connection"_s);
    m_connect = new QPushButton(u"Connect"_s);
    m_connect->setObjectName(u"connect"_s);
    m_connect->setAccessibleName(u"Connect"_s);
    m_state = new widgets::WrapLabel;
    m_state->setObjectName(u"connectionState"_s);
    m_state->setAccessibleName(u"State of the connection"_s);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_test);
    buttons->addWidget(m_connect);
    buttons->addStretch();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_isFile);
    column->addWidget(m_isServer);
    column->addSpacing(fontMetrics().height() / 2);
    column->addWidget(m_stack);
    column->addLayout(buttons);
    column->addWidget(m_state);
    column->addStretch();
}

QWidget *ConnectionForm::buildFile()
{
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    m_path = addLine(*form, u"File"_s, u"path"_s);
    auto *choose = new QPushButton(u"Choose…"_s);
    choose->setObjectName(u"choosePath"_s);
    choose->setAccessibleName(u"Choose the file…"_s);
    connect(choose, &QPushButton::clicked, this, &ConnectionForm::chooseFile);
    form->addRow(QString(), choose);
    form->setAlignment(choose, Qt::AlignLeft);
    return page;
}

QWidget *ConnectionForm::buildServer()
{
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    m_host = addLine(*form, u"Host"_s, u"host"_s);
    m_host->setPlaceholderText(u"localhost"_s);
    m_port = new QSpinBox;
    m_port->setObjectName(u"port"_s);
    m_port->setAccessibleName(u"Port"_s);
    m_port->setRange(1, 65535);
    m_port->setValue(5432);
    form->addRow(new widgets::TokenLabel(u"Port"_s, Token::muted), m_port);
    m_database = addLine(*form, u"Database"_s, u"database"_s);
    m_user = addLine(*form, u"User"_s, u"user"_s);
    m_password = addLine(*form, u"Password"_s, u"password"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_remember = new QCheckBox(u"Keep the password in the keychain"_s);
    m_remember->setObjectName(u"remember"_s);
    m_remember->setAccessibleName(m_remember->text());
    form->addRow(QString(), m_remember);
    m_keychain = new widgets::WrapLabel;
    m_keychain->setObjectName(u"keychain"_s);
    m_keychain->setAccessibleName(u"Keychain"_s);
    m_keychain->setToken(Token::muted);
    form->addRow(QString(), m_keychain);
    m_certificate = addLine(*form, u"Root certificate"_s, u"certificate"_s);
    m_certificate->setPlaceholderText(u"The system's; only for a server on another machine"_s);
    return page;
}

void ConnectionForm::setAddress(const DatabaseAddress &address, bool remembers)
{
    const bool isFile = address.kind == DatabaseAddress::Kind::sqlite;
    (isFile ? m_isFile : m_isServer)->setChecked(true);
    m_path->setText(address.path);
    m_host->setText(address.host);
    m_port->setValue(address.port);
    m_database->setText(address.database);
    m_user->setText(address.user);
    m_certificate->setText(address.rootCertificate);
    m_isKept = remembers;
    m_remember->setChecked(remembers);
    m_password->clear();
    showHint();
    showKind();
}

DatabaseAddress ConnectionForm::address() const
{
    DatabaseAddress address;
    address.kind =
        m_isFile->isChecked() ? DatabaseAddress::Kind::sqlite : DatabaseAddress::Kind::postgresql;
    address.path = m_path->text().trimmed();
    address.host = m_host->text().trimmed();
    address.port = m_port->value();
    address.database = m_database->text().trimmed();
    address.user = m_user->text().trimmed();
    address.rootCertificate = m_certificate->text().trimmed();
    return address;
}

bool ConnectionForm::remembers() const
{
    return m_isServer->isChecked() && m_remember->isEnabled() && m_remember->isChecked();
}

void ConnectionForm::setKeychain(bool isThere, const QString &why)
{
    m_remember->setEnabled(isThere);
    m_keychain->setText(
        isThere ? u"Unticked, it is kept until this console ends, and nowhere else."_s
                : u"%1 The password is kept until this console ends, and nowhere else; PGPASSWORD "
                  "or PostgreSQL's password file can give it at the next start."_s.arg(why));
    showHint();
    m_keychain->setToken(isThere ? Token::muted : Token::attention);
}

// An empty field means the kept password, where there is one.
void ConnectionForm::showHint()
{
    const bool isKept = m_remember->isEnabled() && m_remember->isChecked() && m_isKept;
    m_password->setPlaceholderText(isKept ? u"The one in the keychain"_s : QString());
}

void ConnectionForm::setState(const QString &sentence, bool isBad)
{
    m_state->setToken(isBad ? Token::bad : Token::text);
    m_state->setText(sentence.isEmpty() || !isBad ? sentence : u"▲ "_s + sentence);
}

void ConnectionForm::setBusy(bool busy)
{
    m_isBusy = busy;
    check();
}

void ConnectionForm::showKind()
{
    m_stack->setCurrentIndex(m_isFile->isChecked() ? 0 : 1);
    // The page that is not shown takes no room.
    for (int page = 0; page < m_stack->count(); ++page)
        m_stack->widget(page)->setSizePolicy(QSizePolicy::Preferred, page == m_stack->currentIndex()
                                                                         ? QSizePolicy::Preferred
                                                                         : QSizePolicy::Ignored);
    m_stack->updateGeometry();
    check();
}

void ConnectionForm::check()
{
    const QString problem = address().problem();
    for (QPushButton *button : {m_test, m_connect}) {
        button->setEnabled(problem.isEmpty() && !m_isBusy);
        button->setToolTip(problem);
    }
}

void ConnectionForm::chooseFile()
{
    auto *dialog = new QFileDialog(this, u"Choose the run database"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // it is opened, not written over
    dialog->setLabelText(QFileDialog::Accept, u"Use"_s);
    connect(dialog, &QFileDialog::fileSelected, m_path, &QLineEdit::setText);
    dialog->open();
}

} // namespace holdfast::settings
