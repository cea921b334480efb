// All keys: look one up, or go through them page by page. The same key may stand under several
// operations; each is a row. It shows and never changes: keys are not deleted by hand.
#pragma once

#include "ui/shell/page.h"

#include <QJsonArray>
#include <QTimer>

class QComboBox;
class QLineEdit;
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

namespace holdfast::ledger
{

class KeyDetail;

class LedgerPage : public shell::Page
{
    Q_OBJECT
public:
    explicit LedgerPage(bridge::Bridge &bridge);

    void refresh() override;
    void open(const QJsonObject &where) override; // {"key"} or {"status"}
    QJsonObject where() const override;
    QWidget *first() override;

private:
    void build();
    QWidget *buildBar();
    QWidget *buildTable();
    void connectAll();

    void lookUp();
    void startOver(); // another question: the old rows are not its answer
    void ask();
    void askMore();
    void answered(const QJsonObject &answer, bool isMore);
    void showState();
    void showProblem(const QString &problem);
    void choose(int row);
    void showChosen(QJsonObject row);

    QString m_key;       // looked up; empty: going through all
    QString m_status;    // empty: any
    QString m_cursor;    // of the next page; empty: there is none
    QString m_chosen;    // the row the detail shows
    QJsonObject m_whole; // the last row that was asked for with its request
    int m_question = 0;  // counts what was asked, so that a late answer is told from the last one
    bool m_isAsking = false;
    bool m_isWanted = false;
    bool m_hasAnswer = false;
    QTimer m_again; // read at most once a second

    QLineEdit *m_search = nullptr;
    QComboBox *m_filter = nullptr;
    widgets::TokenLabel *m_count = nullptr;
    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    widgets::EmptyNote *m_empty = nullptr;
    QPushButton *m_more = nullptr;
    QStackedWidget *m_stack = nullptr;
    KeyDetail *m_detail = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
};

} // namespace holdfast::ledger
