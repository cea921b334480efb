// Has a person type a word before an act that cannot be taken back. In production the word is the
// name of the workspace, so that nobody who took one window for another gets any further. It knows
// which window asks for its name; which acts are destructive is said by whoever shows the dialog.
#pragma once

#include <QWidget>

class QLineEdit;

namespace holdfast::widgets
{

class WrapLabel;

class TypedWord : public QWidget
{
    Q_OBJECT
public:
    // The field is called `fieldName`.
    explicit TypedWord(const QString &fieldName, QWidget *parent = nullptr);

    // Every destructive act in this window has `name` typed first.
    static void guard(QWidget *window, const QString &name);

    // Asks for the name that guards the window of `dialog`; nothing where none does. Words of its
    // own, which are asked for everywhere, come after it.
    void ask(const QWidget *dialog, const QString &words = {});
    const QString &word() const { return m_word; } // empty: nothing is asked for
    bool isTyped() const;                          // or nothing is asked for
    QString hint() const; // what is still to do, for the tool tip of a button; may be empty
    QLineEdit *field() const { return m_field; }

Q_SIGNALS:
    void changed();

private:
    QString m_word;
    WrapLabel *m_label = nullptr;
    QLineEdit *m_field = nullptr;
};

} // namespace holdfast::widgets
