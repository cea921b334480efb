// What a person set, kept between sessions in one small file. No password is ever in it. The GUI
// thread only; the file is written when Qt gets to it, never while something is painted.
#pragma once

#include <QObject>
#include <QSettings>

namespace holdfast::settings
{

class Preferences : public QObject
{
    Q_OBJECT
public:
    explicit Preferences(const QString &path, QObject *parent = nullptr);

    QString theme() const; // light | dark | system
    int scale() const;     // in percent, 100 to 200; counts from the next start
    bool singleLetterKeys() const;
    QString database() const;       // an address without a password; empty: the console's own file
    bool remembersPassword() const; // in the keychain, nowhere else

    bool notifies() const;      // on the desktop, of what waits for a person
    QString closing() const;    // the window, while its engine runs: ask | keep | quit
    bool isTourSkipped() const; // the demo's list of things to try

    void setTheme(const QString &theme);
    void setScale(int percent);
    void setSingleLetterKeys(bool on);
    void setNotifies(bool on);
    void setClosing(const QString &choice);
    void setTourSkipped(bool skipped);
    void setDatabase(const QString &url, bool remembersPassword);

Q_SIGNALS:
    void changed();

private:
    void set(const QString &name, const QVariant &value);

    mutable QSettings m_file;
};

} // namespace holdfast::settings
