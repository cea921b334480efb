// What people wrote about the run, and a line to write more. A half-written note stays while the
// run goes on.
#pragma once

#include "ui/inspector/run_story.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace holdfast::widgets
{
class JsonTableModel;
class SteadyTable;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class NotesPanel : public QWidget
{
    Q_OBJECT
public:
    explicit NotesPanel(QWidget *parent = nullptr);

    void setStory(const RunStory &story);
    // After addWanted: it is recorded, or the problem is said and the text stays.
    void added();
    void showProblem(const QString &problem);
    void focusEdit();

Q_SIGNALS:
    void addWanted(const QString &text);

private:
    void add();

    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    QLineEdit *m_edit = nullptr;
    QPushButton *m_add = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
};

} // namespace holdfast::inspector
