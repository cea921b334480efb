// Asks for the one thing an act on a failure group needs. Its button names the effect; it stays
// open until the act is recorded or refused, so that a refusal is read where the act was asked for.
#pragma once

#include <QDialog>
#include <QJsonObject>
#include <functional>

class QPushButton;

namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::weekly
{

struct AskText {
    QString title;
    QString about;  // the group
    QString effect; // what will happen
    QString label;  // of the field
    QString button; // names the effect, never "OK"
};

class AskDialog : public QDialog
{
    Q_OBJECT
public:
    // `value` gives what the field adds to the call; empty: it cannot be done yet.
    AskDialog(const AskText &text, QWidget *field, std::function<QJsonObject()> value,
              QWidget *parent);

    void setBusy(bool busy);
    void showProblem(const QString &problem);
    void changed(); // the field has another value now

Q_SIGNALS:
    void confirmed(const QJsonObject &value);

private:
    std::function<QJsonObject()> m_value;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_act = nullptr;
    QWidget *m_field = nullptr;
};

} // namespace holdfast::weekly
