// Pauses in force and past, and the audit: the page on which somebody proves afterwards who stopped
// what, and that nothing was sent meanwhile.
#pragma once

#include "ui/pause/pause_state.h"
#include "ui/shell/page.h"

class QPushButton;

namespace holdfast::widgets
{
class SteadyTable;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::pause
{

class AuditView;
class PauseTableModel;

class PausePage : public shell::Page
{
    Q_OBJECT
public:
    explicit PausePage(bridge::Bridge &bridge);

    void refresh() override;
    // {"pause": id} selects one; {"actor", "action", "run"} filter the audit.
    void open(const QJsonObject &where) override;
    QJsonObject where() const override;
    QWidget *first() override;

private:
    QWidget *buildPauses();
    void take(const QVector<PauseState> &pauses);
    void select(const QString &id);
    void showButtons();
    const PauseState *current() const;
    void pauseNow();
    void resume();
    void showHeld();

    PauseTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    widgets::WrapLabel *m_state = nullptr;
    QPushButton *m_resume = nullptr;
    QPushButton *m_held = nullptr;
    AuditView *m_audit = nullptr;
    QString m_link; // a pause to select once it is there
    bool m_isAsking = false;
    bool m_askAgain = false;
};

} // namespace holdfast::pause
