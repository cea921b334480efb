// One kind of thing that waits for a person: how many, and since when. It is a button; a kind with
// nothing to do is quiet but stays in its place.
#pragma once

#include "model/time.h"

#include <QAbstractButton>

namespace holdfast::overview
{

class NeedTile : public QAbstractButton
{
    Q_OBJECT
public:
    NeedTile(const QString &kind, const QString &word, QWidget *parent = nullptr);

    const QString &kind() const { return m_kind; }
    // A negative count is one nobody knows yet.
    void setFigures(qint64 count, model::Instant oldest, model::Instant now);
    QString countText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    const QString m_kind;
    const QString m_word;
    const QString m_shape;
    qint64 m_count = -1;
    QString m_age;
};

} // namespace holdfast::overview
