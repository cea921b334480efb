// A table over JSON rows as the door gives them. It holds one answer at a time and, when the next
// one comes, changes only what is different, so that selection and scrolling stay where they are.
// For lists of hundreds of rows; what may be longer is read page by page.
#pragma once

#include "ui/style/theme.h"

#include <QAbstractTableModel>
#include <QJsonArray>
#include <QJsonObject>
#include <QVector>
#include <functional>

namespace holdfast::widgets
{

struct JsonColumn {
    QString title;
    std::function<QString(const QJsonObject &row)> text;
    // What it is sorted by and what a delegate draws; empty: the text.
    std::function<QVariant(const QJsonObject &row)> figure = {};
    std::function<style::Token(const QJsonObject &row)> token = {}; // empty: plain text
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
};

class JsonTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { figureRole = Qt::UserRole + 1 };
    using Identity = std::function<QString(const QJsonObject &row)>;

    JsonTableModel(QVector<JsonColumn> columns, Identity identity, QObject *parent = nullptr);

    void setRows(const QJsonArray &rows);
    void appendRows(const QJsonArray &rows); // the next page; keeps the order it comes in
    const QJsonObject &row(int row) const { return m_rows.at(row); }
    int indexOf(const QString &identity) const; // -1: it is not there

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    QVector<QJsonObject> sorted(QVector<QJsonObject> rows) const;
    bool isBefore(const QJsonObject &a, const QJsonObject &b) const;
    void removeAllBut(const QVector<QJsonObject> &wanted);
    void bringTo(int at, const QJsonObject &wanted);

    const QVector<JsonColumn> m_columns;
    const Identity m_identity;
    QVector<QJsonObject> m_rows;
    int m_sortColumn = -1; // as the rows came
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace holdfast::widgets
