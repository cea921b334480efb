// Filters that are kept in the database under a name, and a few that everybody needs.
#pragma once

#include <QJsonArray>
#include <QPushButton>
#include <QString>
#include <QVector>

namespace holdfast::runs
{

struct SavedView {
    QString name;
    QString filter;

    bool operator==(const SavedView &) const = default;
};

class ViewsButton : public QPushButton
{
    Q_OBJECT
public:
    explicit ViewsButton(QWidget *parent = nullptr);

    void setViews(const QJsonArray &views);
    void setFilter(const QString &filter); // the one in force
    // The saved view that is in force; empty: none.
    QString currentView() const;
    bool isSaved(const QString &name) const;

Q_SIGNALS:
    void chosen(const QString &filter);
    void saveWanted();
    void deleteWanted(const QString &name);

private:
    void rebuild();

    QVector<SavedView> m_saved;
    QString m_filter;
};

} // namespace holdfast::runs
