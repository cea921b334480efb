// Asks a person for the reason of an act before it is done. It says what will happen and what is
// safe, its button names the effect, and it stays open until the act is recorded or refused, so
// that a refusal is read where the act was asked for.
#pragma once

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace holdfast::widgets
{

class TypedWord;
class WrapLabel;

struct ActText {
    QString title;
    QString effect;  // what the act is
    QString then;    // what will happen now, as the engine says
    QString safe;    // what will not, or what stays as it is
    QString button;  // names the effect, never "OK"
    QString confirm; // a statement to tick first; empty: none
    // Compensates, or does again what was done: in production the name of the workspace is typed.
    bool isDestructive = false;
};

class ActDialog : public QDialog
{
    Q_OBJECT
public:
    explicit ActDialog(const ActText &text, QWidget *parent = nullptr);

    // The act is not possible now: says why and leaves nothing but the way out.
    void refuse(const QString &why);
    // The act was tried and did not work; it may be tried again.
    void showProblem(const QString &problem);
    void setBusy(bool busy);
    QString reason() const;
    bool isConfirmed() const; // there was a statement to tick, and it is ticked

Q_SIGNALS:
    void confirmed(const QString &reason);

private:
    void updateButton();

    WrapLabel *m_effect = nullptr;
    WrapLabel *m_then = nullptr;
    WrapLabel *m_safe = nullptr;
    WrapLabel *m_problem = nullptr;
    QLabel *m_reasonLabel = nullptr;
    QLineEdit *m_reason = nullptr;
    QCheckBox *m_confirm = nullptr;
    TypedWord *m_typed = nullptr;
    QPushButton *m_act = nullptr;
    QPushButton *m_close = nullptr;
    bool m_isBusy = false;
    bool m_isRefused = false;
};

// What a person is told before an act on `count` runs; `name` is the one run's, when it is one.
// `act` is retry, cancel, rerun or verify, as the door calls it.
struct RunAct {
    QString act;
    QString name;
    int count = 1;
    bool isOnTheWire = false; // an attempt is under way and cannot be recalled
    bool hasEffects = false;  // confirmed effects of the run stand
    QString then;             // what the engine would do now; empty: not known
};
ActText runActText(const RunAct &act);

} // namespace holdfast::widgets
