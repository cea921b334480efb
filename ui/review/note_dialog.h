// A note on a run: what somebody found out and the next person should know. It decides nothing.
#pragma once

#include <QDialog>

class QPlainTextEdit;

namespace holdfast::review
{

class NoteDialog : public QDialog
{
    Q_OBJECT
public:
    explicit NoteDialog(const QString &about, QWidget *parent = nullptr);

Q_SIGNALS:
    void noted(const QString &text);

private:
    QPlainTextEdit *m_text = nullptr;
};

} // namespace holdfast::review
