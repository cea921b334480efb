// A door that answers from a table of functions, for tests of one page: what it was asked is kept,
// and an answer can be exchanged while the page is up.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/shell/page.h"
#include "ui/style/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QDir>
#include <QJsonArray>
#include <QMap>
#include <QMutex>
#include <QtTest>
#include <atomic>

namespace holdfast::tests
{

using namespace Qt::StringLiterals;

class CannedDoor
{
public:
    using Answer = std::function<model::Result<QJsonValue>(const QJsonObject &arguments)>;

    CannedDoor()
    {
        bridge::Sources sources;
        sources.read = [this](const auto &name, const auto &in) { return call(name, in); };
        sources.act = sources.read;
        sources.engine = [] { return bridge::EngineState{u"running"_s, {}, 0}; };
        sources.now = [this] { return now.load(); };
        sources.actor = u"ada"_s;
        sources.database = u"sqlite:test.db"_s;
        answer(u"pulse"_s, QJsonObject{{u"journal"_s, 1}});
        m_bridge = std::make_unique<bridge::Bridge>(std::move(sources));
    }
    Q_DISABLE_COPY_MOVE(CannedDoor)

    std::atomic<model::Instant> now = 1'800'000'000'000;

    void answer(const QString &name, const Answer &answer)
    {
        const QMutexLocker lock(&m_mutex);
        m_answers.insert(name, answer);
    }
    void answer(const QString &name, const QJsonObject &object)
    {
        answer(name, [object](const QJsonObject &) { return QJsonValue(object); });
    }
    void refuse(const QString &name, const QString &message)
    {
        answer(name, [message](const QJsonObject &) { return model::refused(message); });
    }
    void lose(const QString &name)
    {
        answer(name, [](const QJsonObject &) {
            return model::Error{model::ErrorKind::lost, u"The database is away."_s};
        });
    }
    // What it was asked under this name, in order.
    QVector<QJsonObject> asked(const QString &name)
    {
        const QMutexLocker lock(&m_mutex);
        return m_asked.value(name);
    }
    bridge::Bridge &bridge() { return *m_bridge; }
    // Looks now and waits until the marks are there.
    void pulse()
    {
        const auto before = asked(u"pulse"_s).size();
        m_bridge->pulse();
        QTRY_VERIFY(asked(u"pulse"_s).size() > before);
        QCoreApplication::processEvents();
    }

private:
    model::Result<QJsonValue> call(const QString &name, const QJsonObject &arguments)
    {
        Answer answer;
        {
            const QMutexLocker lock(&m_mutex);
            m_asked[name] << arguments;
            answer = m_answers.value(name);
        }
        if (!answer)
            return model::notFound(u"no such operation: "_s + name);
        return answer(arguments);
    }

    QMutex m_mutex;
    QMap<QString, Answer> m_answers;
    QMap<QString, QVector<QJsonObject>> m_asked;
    std::unique_ptr<bridge::Bridge> m_bridge;
};

// With HOLDFAST_SHOTS set to a folder, leaves a picture there to be looked at.
inline void shoot(QWidget &widget, const QString &name)
{
    QCoreApplication::processEvents(); // lets layouts settle
    const QPixmap picture = widget.grab();
    QVERIFY(!picture.isNull());
    const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS");
    const QString theme = style::currentTheme() == style::Theme::light ? u"light"_s : u"dark"_s;
    if (!folder.isEmpty())
        QVERIFY(picture.save(QDir(folder).filePath(name + u'-' + theme + u".png"_s)));
}

// Every control a person can reach has a name a screen reader can say.
inline QStringList nameless(const QWidget &page)
{
    QStringList found;
    for (const QWidget *widget : page.findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->focusProxy() ||
            !widget->isVisibleTo(&page) || widget->objectName().startsWith(u"qt_"_s))
            continue;
        const QAccessibleInterface *read =
            QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
        if (!read || read->text(QAccessible::Name).isEmpty())
            found << QString::fromLatin1(widget->metaObject()->className()) + u'#' +
                         widget->objectName();
    }
    return found;
}

// What no label or table may interpret, and no layout may break on.
inline QString hostileText()
{
    return u"<b>x</b><img src=x>\u202Egnp\u200B\x1b[31m"_s + QString(10'000, u'w') + u"😀 مرحبا"_s;
}

} // namespace holdfast::tests
