// A small window while something takes seconds before there is a window to show: what is being
// done, how far it is, and a way out.
#pragma once

#include <QDialog>

class QLabel;
class QProgressBar;
class QPushButton;

namespace holdfast::console
{

class ProgressWindow : public QDialog
{
    Q_OBJECT
public:
    ProgressWindow(const QString &title, const QString &sentence, QWidget *parent = nullptr);

    void setPercent(int percent);
    // Says that it is on its way out; the work ends when it next looks.
    void reject() override;

Q_SIGNALS:
    void cancelled();

private:
    QLabel *m_sentence = nullptr;
    QProgressBar *m_bar = nullptr;
    QPushButton *m_cancel = nullptr;
};

} // namespace holdfast::console
