// What stands in place of the list when it is empty: being read, nothing started yet, or nothing
// that matches. Each says what to do next.
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace holdfast::widgets
{
class TokenLabel;
}

namespace holdfast::runs
{

class EmptyRuns : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyRuns(QWidget *parent = nullptr);

    void showReading(bool isAway);
    void showSearching(); // nothing found yet, older runs are looked at
    void showNone();
    void showNoMatch(const QStringList &terms);
    // How many runs there would be without this term.
    void setCountWithout(const QString &term, const QString &count);

Q_SIGNALS:
    void removeWanted(const QString &term);
    void copied(const QString &what);

private:
    void buildStart(QVBoxLayout *column);
    void setTerms(const QStringList &terms);

    widgets::TokenLabel *m_headline = nullptr;
    widgets::TokenLabel *m_text = nullptr;
    QWidget *m_start = nullptr;
    QLineEdit *m_command = nullptr;
    QWidget *m_offers = nullptr;
    QVBoxLayout *m_offerColumn = nullptr;
    QStringList m_terms;
    QVector<QPushButton *> m_buttons; // one per term
};

} // namespace holdfast::runs
