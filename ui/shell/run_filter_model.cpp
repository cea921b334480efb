#include "ui/shell/run_filter_model.h"

#include "ui/shell/run_table_model.h"

#include <algorithm>

namespace holdfast::shell
{

RunFilterModel::RunFilterModel(QObject *parent) : QSortFilterProxyModel(parent)
{
    setSortRole(RunTableModel::sortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void RunFilterModel::setStatuses(const QStringList &statuses)
{
    m_statuses = statuses;
    invalidateFilter();
}

void RunFilterModel::setText(const QString &text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool RunFilterModel::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!m_statuses.isEmpty() &&
        !m_statuses.contains(index.data(RunTableModel::statusRole).toString()))
        return false;
    const QString text = index.data(RunTableModel::searchRole).toString();
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString &word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace holdfast::shell
