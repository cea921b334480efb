// What a person should know before a pause is lifted: what is held and how old it is, which keys
// will not protect much longer, and whether the outside is well again. Unknown is said as unknown.
#pragma once

#include "model/time.h"

#include <QJsonObject>
#include <QWidget>

class QGridLayout;

namespace holdfast::pause
{

class PreflightView : public QWidget
{
    Q_OBJECT
public:
    explicit PreflightView(QWidget *parent = nullptr);

    void setCheck(const QJsonObject &check, model::Instant now); // the answer of `resume_check`
    void setProblem(const QString &problem);
    bool isWell() const { return m_isWell; } // nothing in it is a reason to wait

private:
    void begin();
    void addHeading(const QString &text);
    void addRow(const QString &left, const QString &middle, const QString &right, bool isBad);
    void addHeld(const QJsonObject &check);
    void addKeys(const QJsonArray &keys, model::Instant now);
    void addDependencies(const QJsonArray &dependencies);

    QWidget *m_inside = nullptr;
    QGridLayout *m_grid = nullptr;
    bool m_isWell = false;
};

} // namespace holdfast::pause
