// The line a filter is typed into. It offers words, and the values that a word can have.
#pragma once

#include <QJsonObject>
#include <QLineEdit>

class QCompleter;
class QStringListModel;

namespace holdfast::runs
{

class FilterEdit : public QLineEdit
{
    Q_OBJECT
public:
    explicit FilterEdit(QWidget *parent = nullptr);

    void setWords(const QJsonObject &words) { m_words = words; }
    QStringList offered() const; // what the list under the line shows now

Q_SIGNALS:
    void entered();     // Enter
    void backWanted();  // Backspace in an empty line
    void leaveWanted(); // Escape: to the list

protected:
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    void offer();
    void take(const QString &candidate);

    QJsonObject m_words;
    QCompleter *m_completer = nullptr;
    QStringListModel *m_candidates = nullptr;
};

} // namespace holdfast::runs
