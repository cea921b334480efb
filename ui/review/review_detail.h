// The right side: one item with its question, its evidence, and its answers. It remembers which
// version it shows, because that is what a decision is bound to.
#pragma once

#include "ui/review/answers_box.h"
#include "ui/review/review_item.h"

#include <QJsonObject>

class QPushButton;

namespace holdfast::widgets
{
class ElidedLabel;
} // namespace holdfast::widgets

namespace holdfast::review
{

class EvidenceView;
class JsonDiffView;

class ReviewDetail : public QWidget
{
    Q_OBJECT
public:
    explicit ReviewDetail(QWidget *parent = nullptr);

    // The answer of `review`. `actor` is who "you" is.
    void setDetail(const QJsonObject &detail, const QString &actor, model::Instant now);
    void clear();
    // While an answer is on its way nothing else can be answered.
    void setPending(const QString &text);

    const Item &item() const { return m_item; }
    qint64 version() const { return m_item.version; }
    const QJsonObject &detail() const { return m_detail; }
    bool isDecided() const;
    AnswersBox &answers() const { return *m_answers; }

Q_SIGNALS:
    void claimWanted();
    void snoozeWanted();
    void noteWanted();
    void openWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    QLayout *buildHead();
    QPushButton *tool(const QString &name, const QString &text, const QString &accessible);
    void showHead(const QString &actor, model::Instant now);
    void showAnswers();
    void showPayloads();
    void colour();

    QJsonObject m_detail;
    Item m_item;
    bool m_isMine = false;

    widgets::ElidedLabel *m_kind = nullptr;
    widgets::ElidedLabel *m_where = nullptr;
    widgets::ElidedLabel *m_claim = nullptr;
    QPushButton *m_claimButton = nullptr;
    QPushButton *m_snoozeButton = nullptr;
    QPushButton *m_noteButton = nullptr;
    QPushButton *m_openButton = nullptr;
    EvidenceView *m_evidence = nullptr;
    JsonDiffView *m_diff = nullptr;
    QWidget *m_panel = nullptr;
    AnswersBox *m_answers = nullptr;
};

} // namespace holdfast::review
