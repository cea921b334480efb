// The answers to an item: one button each with what Holdfast will do then, and the two things a
// person has to give, the receipt and the reason. Which answers are possible comes from the
// engine's own dry run; this only shows it.
#pragma once

#include "ui/review/grace.h"

#include <QJsonArray>
#include <QMap>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::review
{

struct Answer {
    QString verdict;
    QString label;
    QJsonObject receipt;
    bool hasReceipt = false;
    QString reason;
};

// The letter that gives an answer while the list has the focus; empty: none.
QString answerKey(const QString &verdict);

class AnswersBox : public QWidget
{
    Q_OBJECT
public:
    explicit AnswersBox(QWidget *parent = nullptr);

    void setAnswers(const QJsonArray &answers);
    void setDraft(const Draft &draft);
    Draft draft() const;
    bool allows(const QString &verdict) const;
    bool offers(const QString &verdict) const;
    // Gives the answer when everything it needs is there; else goes to the field that is missing.
    void choose(const QString &verdict);
    // Says at the answers why something was refused.
    void say(const QString &problem);

Q_SIGNALS:
    void answered(const holdfast::review::Answer &answer);
    void draftChanged();
    void leaveWanted(); // Escape: back to the list

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildFields();
    void buildRows();
    void showRow(const QString &verdict, const QJsonObject &answer); // empty: not offered
    void showChosen();
    bool takeReceipt(Answer &answer);
    bool takeReason(Answer &answer);

    QJsonArray m_answers;
    QString m_chosen;
    struct Row {
        QLabel *key = nullptr;
        QPushButton *button = nullptr;
        widgets::WrapLabel *then = nullptr;
    };
    QMap<QString, Row> m_rows; // by verdict; all are there, those not offered are hidden
    QLabel *m_receiptLabel = nullptr;
    QLineEdit *m_receipt = nullptr;
    widgets::WrapLabel *m_receiptProblem = nullptr;
    QLineEdit *m_reason = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
};

} // namespace holdfast::review
