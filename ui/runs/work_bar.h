// A strip under the list for work that takes a while: what is done, how far it is, a way to stop
// it, and in the end what came of it.
#pragma once

#include "ui/style/theme.h"

#include <QWidget>

class QProgressBar;
class QPushButton;

namespace holdfast::widgets
{
class ElidedLabel;
}

namespace holdfast::runs
{

class WorkBar : public QWidget
{
    Q_OBJECT
public:
    // `name` tells two bars apart for tests and screen readers.
    explicit WorkBar(const QString &name, QWidget *parent = nullptr);

    void begin(const QString &text);
    void setProgress(const QString &text, qint64 done, qint64 total); // total 0: not known
    // `details` are lines a person may want to read whole; empty: none.
    void end(const QString &text, bool isGood, const QString &details = {});
    bool isWorking() const { return m_isWorking; }
    QString text() const;

Q_SIGNALS:
    void stopWanted();

protected:
    void changeEvent(QEvent *event) override;

private:
    void setText(const QString &text, style::Token token);
    void showDetails();

    widgets::ElidedLabel *m_text = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_stop = nullptr;
    QPushButton *m_details = nullptr;
    QPushButton *m_close = nullptr;
    QString m_detailText;
    style::Token m_token = style::Token::text;
    bool m_isWorking = false;
};

} // namespace holdfast::runs
