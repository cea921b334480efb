// Who did what, when and why: filtered, newest first, more on scrolling; the whole of a row as JSON
// beside it; and whether anybody changed it afterwards.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pause/audit_model.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace holdfast::widgets
{
class CodeView;
class SteadyTable;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::pause
{

class AuditView : public QWidget
{
    Q_OBJECT
public:
    explicit AuditView(bridge::Bridge &bridge, QWidget *parent = nullptr);

    void refresh();
    // {"actor", "action", "run"}, each optional.
    void setFilter(const QJsonObject &filter);
    QJsonObject filter() const;
    void exportTo(const QString &path);
    void chooseExport();
    void verify();
    QWidget *table() const;

Q_SIGNALS:
    void said(const QString &message);
    void filterChanged();
    void openRun(const QString &runId);

private:
    QLayout *buildFilters();
    QWidget *buildTable();
    void askPage(qint64 before);
    void take(const QJsonValue &answer, qint64 before);
    void showCurrent();
    void showVerdict(const QJsonValue &answer);

    bridge::Bridge &m_bridge;
    AuditModel *m_model = nullptr;
    QLineEdit *m_actor = nullptr;
    QComboBox *m_action = nullptr;
    QLineEdit *m_run = nullptr;
    QPushButton *m_verify = nullptr;
    QPushButton *m_export = nullptr;
    widgets::WrapLabel *m_verdict = nullptr;
    widgets::WrapLabel *m_empty = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    widgets::CodeView *m_body = nullptr;
    QTimer m_typing;     // asks when the person stops
    qint64 m_cursor = 0; // where older rows begin; 0: there are none
    int m_asked = 0;     // number of the last question; older answers are dropped
    bool m_isAsking = false;
    bool m_askAgain = false;
};

} // namespace holdfast::pause
