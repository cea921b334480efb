// The filter: a line to type terms into, a chip for each term in force, and what is wrong with a
// term right under the line. It knows only text; the page asks the door.
#pragma once

#include <QJsonObject>
#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace holdfast::widgets
{
class FlowLayout;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::runs
{

class FilterEdit;

class FilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit FilterBar(QWidget *parent = nullptr);

    // The terms in force.
    void setTerms(const QStringList &terms);
    const QStringList &terms() const { return m_terms; }
    void setWords(const QJsonObject &words);
    // The door did not understand it: the text stays to be corrected.
    void refuse(const QString &filter, const QString &why);
    void focusEdit();
    FilterEdit *edit() const { return m_edit; }
    void addWidget(QWidget *widget); // to the right of the line
    void remove(const QString &term);

Q_SIGNALS:
    void wanted(const QString &filter);
    void leaveWanted();

private:
    void enter();
    void takeBack();
    void showChips();

    FilterEdit *m_edit = nullptr;
    QHBoxLayout *m_line = nullptr;
    QWidget *m_chipRow = nullptr;
    widgets::FlowLayout *m_chips = nullptr;
    widgets::WrapLabel *m_problem = nullptr;
    QStringList m_terms;
};

} // namespace holdfast::runs
