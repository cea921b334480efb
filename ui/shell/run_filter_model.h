// Which runs of the snapshot are shown. A text matches workflow, event id, run id, step or reason,
// every word of it; it is never a pattern.
#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace holdfast::shell
{

class RunFilterModel : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit RunFilterModel(QObject *parent = nullptr);

    void setStatuses(const QStringList &statuses); // empty: all
    void setText(const QString &text);
    bool isNarrowing() const { return !m_statuses.isEmpty() || !m_words.isEmpty(); }

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_statuses;
    QStringList m_words;
};

} // namespace holdfast::shell
