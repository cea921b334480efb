// What this login may not do is not offered: a button or an action that names its operation in the
// property "operation" is disabled and says why, whatever its page thinks of it. Who may do what is
// the database's to say; here it is only shown.
#pragma once

#include <QJsonObject>
#include <QObject>

class QAction;
class QWidget;

namespace holdfast::shell
{

class Permits : public QObject
{
    Q_OBJECT
public:
    explicit Permits(QWidget *root);

    // Operations with the reason why not.
    void setRefused(const QJsonObject &refused);

    // Says which operation of the control door it carries out.
    static void name(QObject *button, const QString &operation);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QString refusalOf(const QObject *object) const;
    void apply();
    void watch(QWidget *widget);
    void watch(QAction *action);
    void keepOut(QWidget *widget) const;
    void keepOut(QAction *action) const;

    QWidget *m_root;
    QJsonObject m_refused;
};

} // namespace holdfast::shell
