#include "ui/settings/preferences.h"

#include <algorithm>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int scaleMin = 100;
constexpr int scaleMax = 200;
} // namespace

Preferences::Preferences(const QString &path, QObject *parent)
    : QObject(parent), m_file(path, QSettings::IniFormat)
{
}

void Preferences::set(const QString &name, const QVariant &value)
{
    if (m_file.value(name) == value)
        return;
    m_file.setValue(name, value);
    Q_EMIT changed();
}

QString Preferences::theme() const
{
    const QString theme = m_file.value(u"appearance/theme"_s).toString();
    return theme == "light"_L1 || theme == "dark"_L1 ? theme : u"system"_s;
}

int Preferences::scale() const
{
    const int percent = m_file.value(u"appearance/scale"_s, scaleMin).toInt();
    return std::clamp(percent, scaleMin, scaleMax);
}

bool Preferences::singleLetterKeys() const
{
    return m_file.value(u"keys/single_letters"_s, true).toBool();
}

QString Preferences::database() const { return m_file.value(u"connection/url"_s).toString(); }

bool Preferences::remembersPassword() const
{
    return m_file.value(u"connection/remember"_s, false).toBool();
}

bool Preferences::notifies() const { return m_file.value(u"desktop/notify"_s, true).toBool(); }

QString Preferences::closing() const
{
    const QString choice = m_file.value(u"desktop/closing"_s).toString();
    return choice == "keep"_L1 || choice == "quit"_L1 ? choice : u"ask"_s;
}

bool Preferences::isTourSkipped() const { return m_file.value(u"demo/skipped"_s, false).toBool(); }

void Preferences::setNotifies(bool on) { set(u"desktop/notify"_s, on); }

void Preferences::setClosing(const QString &choice) { set(u"desktop/closing"_s, choice); }

void Preferences::setTourSkipped(bool skipped) { set(u"demo/skipped"_s, skipped); }

void Preferences::setTheme(const QString &theme) { set(u"appearance/theme"_s, theme); }

void Preferences::setScale(int percent)
{
    set(u"appearance/scale"_s, std::clamp(percent, scaleMin, scaleMax));
}

void Preferences::setSingleLetterKeys(bool on) { set(u"keys/single_letters"_s, on); }

void Preferences::setDatabase(const QString &url, bool remembersPassword)
{
    set(u"connection/url"_s, url);
    set(u"connection/remember"_s, remembersPassword);
}

} // namespace holdfast::settings
