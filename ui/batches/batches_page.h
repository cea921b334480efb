// All batches, and one of them whole: how far it is, totals that add up, what became of each item,
// and the three things a person can do to it. It carries nothing out: workers do.
#pragma once

#include "ui/shell/page.h"

#include <QJsonArray>

class QComboBox;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace holdfast::widgets
{
class EmptyNote;
class JsonTableModel;
class SteadyTable;
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::batches
{

class BatchesPage : public shell::Page
{
    Q_OBJECT
public:
    explicit BatchesPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"batch"}
    QJsonObject where() const override;
    QWidget *first() override;

private:
    // batches_build.cpp
    void build();
    QWidget *buildList();
    QWidget *buildDetail();
    QWidget *buildItems();
    void connectAll();

    void choose(const QString &batch);
    void askBatch();
    void askItems(bool isMore);
    void showBatch();
    void showItems(const QJsonObject &answer, bool isMore);
    void showProblem(const QString &problem);
    void tell(const QString &word);
    void openItem(int row);

    QString m_chosen;    // the batch the detail shows; empty: none yet
    QJsonObject m_batch; // as last read
    int m_after = 0;     // the last place shown, where there is more
    bool m_isAsking = false;
    bool m_isWanted = false;

    widgets::JsonTableModel *m_list = nullptr;
    widgets::SteadyTable *m_listTable = nullptr;
    widgets::JsonTableModel *m_items = nullptr;
    widgets::SteadyTable *m_itemTable = nullptr;
    QStackedWidget *m_stack = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    widgets::TokenLabel *m_state = nullptr;
    widgets::WrapLabel *m_about = nullptr;
    widgets::WrapLabel *m_note = nullptr;
    QProgressBar *m_progress = nullptr;
    widgets::WrapLabel *m_totals = nullptr;
    widgets::WrapLabel *m_now = nullptr;
    QComboBox *m_filter = nullptr;
    QPushButton *m_hold = nullptr;
    QPushButton *m_go = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_more = nullptr;
};

} // namespace holdfast::batches
