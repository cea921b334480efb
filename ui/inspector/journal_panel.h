// Everything that happened to the run, in order: as a table, or as the JSON that is stored.
#pragma once

#include "ui/inspector/run_story.h"

#include <QWidget>

class QCheckBox;
class QStackedWidget;

namespace holdfast::widgets
{
class CodeView;
class JsonTableModel;
class SteadyTable;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class JournalPanel : public QWidget
{
    Q_OBJECT
public:
    explicit JournalPanel(QWidget *parent = nullptr);

    void setStory(const RunStory &story);
    void setRaw(bool raw);

private:
    void showRaw();

    widgets::JsonTableModel *m_model = nullptr;
    widgets::SteadyTable *m_table = nullptr;
    widgets::CodeView *m_raw = nullptr;
    QStackedWidget *m_stack = nullptr;
    QCheckBox *m_toggle = nullptr;
    QJsonArray m_journal;
};

} // namespace holdfast::inspector
