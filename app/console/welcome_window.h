// What a first start shows: three ways to begin, none of which asks about databases first. It opens
// nothing itself.
#pragma once

#include <QWidget>

class QFileDialog;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace holdfast::settings
{
class ConnectionForm;
}
namespace holdfast::widgets
{
class WrapLabel;
}

namespace holdfast::console
{

class WelcomeWindow : public QWidget
{
    Q_OBJECT
public:
    WelcomeWindow();

    settings::ConnectionForm &connection() { return *m_form; }
    void setBusy(bool busy);
    void setProblem(const QString &problem); // of a choice that did not work; empty: none
    void showConnection();

Q_SIGNALS:
    void demoWanted();
    void folderWanted(const QString &folder);
    void closed();

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    QWidget *buildChoices();
    QWidget *buildConnection();
    QPushButton *addChoice(QWidget *page, const QString &name, const QString &title,
                           const QString &sentence);
    void chooseFolder();

    QStackedWidget *m_stack = nullptr;
    settings::ConnectionForm *m_form = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QPushButton *m_demo = nullptr;
};

} // namespace holdfast::console
