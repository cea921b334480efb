// The question and everything a person needs to answer it: what we know with its times, what to
// check, and the exact request where one is to be approved. It is one read-only text, so that any
// of it can be marked and copied; it is put together from plain text only and interprets none.
#pragma once

#include <QJsonObject>
#include <QTextEdit>

class QTextCursor;

namespace holdfast::review
{

class EvidenceView : public QTextEdit
{
    Q_OBJECT
public:
    explicit EvidenceView(QWidget *parent = nullptr);

    void setDetail(const QJsonObject &detail); // the answer of `review`
    QSize sizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;

private:
    void write();
    void writeHeading(QTextCursor &cursor, const QString &text);
    void writeKnown(QTextCursor &cursor);
    void writeChecks(QTextCursor &cursor);
    void writeRequest(QTextCursor &cursor);
    void writeDecided(QTextCursor &cursor);
    void writeFooter(QTextCursor &cursor);

    QJsonObject m_detail;
};

} // namespace holdfast::review
