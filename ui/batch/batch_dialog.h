// Asks before a batch is started: counts first, shows what is safe and what is set apart with
// examples, and takes a reason and a rate. Nothing is written until the person starts it.
#pragma once

#include "ui/batch/batch_plan.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace holdfast::widgets
{
class JsonTableModel;
class SteadyTable;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::batch
{

class BatchDialog : public QDialog
{
    Q_OBJECT
public:
    // `what` says of which, in words: "all 1,204 that match".
    BatchDialog(bridge::Bridge &bridge, const Order &order, const QString &what,
                QWidget *parent = nullptr);

Q_SIGNALS:
    void started(const QString &batch);

private:
    void build(const QString &what);
    void buildReason();
    QWidget *buildButtons();
    void showCount();
    void showPlan();
    void showProblem(const QString &problem);
    void updateButton();
    void startBatch();
    int chosen() const;

    bridge::Bridge &m_bridge;
    BatchPlan *m_plan;
    bool m_isCounted = false;
    bool m_isBusy = false;

    widgets::WrapLabel *m_effect = nullptr;
    widgets::WrapLabel *m_count = nullptr;
    widgets::WrapLabel *m_apart = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QProgressBar *m_progress = nullptr;
    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    QCheckBox *m_include = nullptr;
    QLineEdit *m_reason = nullptr;
    QSpinBox *m_rate = nullptr;
    QPushButton *m_start = nullptr;
    QPushButton *m_close = nullptr;
};

} // namespace holdfast::batch
