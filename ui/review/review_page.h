// One inbox for everything that waits for a person: the list at the left, worst first, and the
// chosen item at the right with its evidence and its answers. A decision is bound to the version
// the person saw and can be taken back for a few seconds before anything leaves the window.
#pragma once

#include "ui/review/review_item.h"
#include "ui/shell/page.h"

#include <QMap>
#include <QTimer>

class QCheckBox;
class QStackedWidget;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::review
{

class Desk;
class KindTabs;
class ReviewDetail;
class ReviewList;
class ReviewModel;
class UndoBar;
struct Answer;
struct Decision;
struct Draft;

class ReviewPage : public shell::Page
{
    Q_OBJECT
public:
    explicit ReviewPage(bridge::Bridge &bridge);
    ~ReviewPage() override;

    void refresh() override;
    void open(const QJsonObject &where) override;
    QJsonObject where() const override;
    QWidget *first() override;

    void setGrace(int millis);

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    QWidget *buildBar();
    QWidget *buildBody();
    QWidget *buildEmpty();
    void buildActions();
    QAction *letterAction(const QString &text, const QString &letter);

    void take(const QJsonArray &reviews);
    void showItems();
    void showEmpty();
    void showDetail(const QJsonObject &detail);
    void showPending();
    void askDetail();
    void select(const QString &id);
    void selectNext();
    void leftTheList(const Item &item);

    void answered(const Answer &answer);
    void decide(const Answer &answer);
    void undo();
    void refused(const Decision &decision, const QString &sentence);
    void say(const QString &text, style::Token token);

    void openRun(bool toCompensate);
    void claim();
    void snooze();
    void snoozeUntil(model::Instant until);
    void note();
    void answerSimilar();
    void answerInBatch(const QString &verdict);
    void act(const QString &name, const QJsonObject &arguments, const QString &done);

    Desk *m_desk = nullptr;
    ReviewModel *m_model = nullptr;
    KindTabs *m_tabs = nullptr;
    QCheckBox *m_mine = nullptr;
    QCheckBox *m_snoozed = nullptr;
    widgets::WrapLabel *m_notice = nullptr;
    UndoBar *m_undoBar = nullptr;
    QStackedWidget *m_body = nullptr;
    ReviewList *m_list = nullptr;
    ReviewDetail *m_detail = nullptr;
    widgets::WrapLabel *m_empty = nullptr;
    widgets::WrapLabel *m_emptyHint = nullptr;
    QMap<QString, QAction *> m_answerActions; // by verdict
    QVector<QAction *> m_itemActions;         // those that need an item

    QVector<Item> m_items; // all that are open
    QMap<QString, Draft> m_drafts;
    QTimer m_clock;      // ages grow without news
    QString m_link;      // an item that was asked for from elsewhere; it need not be in the list
    QString m_explained; // an item whose loss has been put in words already
    bool m_isAsking = false;
    bool m_askAgain = false;
    bool m_isAskingDetail = false;
    bool m_askDetailAgain = false;
    bool m_isKnown = false; // an answer has come at least once
};

} // namespace holdfast::review
