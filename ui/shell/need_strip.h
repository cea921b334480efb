// What waits for a person, as one count per kind of review. A kind with nothing to do is quiet.
#pragma once

#include "ui/shell/snapshot.h"
#include "ui/shell/theme.h"

#include <QFrame>
#include <QVector>

class QLabel;

namespace holdfast::shell
{

class NeedStrip : public QFrame
{
    Q_OBJECT
public:
    explicit NeedStrip(QWidget *parent = nullptr);

    void showSnapshot(const Snapshot &snapshot, Theme theme);

private:
    struct Tile {
        QString kind;
        QString word;
        QFrame *frame = nullptr;
        QLabel *count = nullptr;
        QLabel *title = nullptr;
    };
    Tile addTile(const QString &kind, const QString &word);

    QLabel *m_heading = nullptr;
    QVector<Tile> m_tiles;
};

} // namespace holdfast::shell
