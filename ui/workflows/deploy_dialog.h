// Definition files that a person opened: their text with what was found at each line, and the
// button that deploys them. Nothing is deployed while there is an error, and the door checks again.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/workflows/file_reader.h"

#include <QDialog>
#include <QJsonArray>

class QComboBox;
class QPushButton;

namespace holdfast::widgets
{
class CodeView;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::workflows
{

class FindingsTable;

class DeployDialog : public QDialog
{
    Q_OBJECT
public:
    DeployDialog(bridge::Bridge &bridge, const QVector<DefinitionFile> &files, QWidget *parent);

Q_SIGNALS:
    void deployed(const QString &sentence, const QString &workflow);

private:
    void build();
    QJsonObject arguments() const;
    void check();
    void deploy();
    void showAnswer(const QJsonObject &answer);
    void showFile(int index);
    void goTo(const QString &file, int line);
    void say(const QString &text, bool isBad);

    bridge::Bridge &m_bridge;
    const QVector<DefinitionFile> m_files;
    QJsonArray m_findings;
    QComboBox *m_file = nullptr;
    widgets::CodeView *m_code = nullptr;
    FindingsTable *m_table = nullptr;
    widgets::WrapLabel *m_state = nullptr;
    QPushButton *m_deploy = nullptr;
};

} // namespace holdfast::workflows
