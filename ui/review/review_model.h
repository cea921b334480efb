// The open items as a list of one column. The delegate draws two lines from the roles; the display
// text is the whole in words, which is what a screen reader reads.
#pragma once

#include "ui/review/review_item.h"
#include "ui/widgets/rows_model.h"

#include <QMap>

namespace holdfast::review
{

class ReviewModel : public widgets::RowsModel<Item>
{
    Q_OBJECT
public:
    enum Role {
        idRole = Qt::UserRole,
        shapeRole,
        tokenRole,
        whatRole,   // first line, left
        ageRole,    // first line, right
        detailRole, // second line, left
        stateRole,  // second line, right: pending, due, claimed or snoozed
        urgentRole, // whether the state wants a colour
    };

    explicit ReviewModel(QObject *parent = nullptr) : RowsModel(parent) {}

    // The instant ages are counted to, and the login that is "you".
    void setMoment(model::Instant now, const QString &actor);
    // What is on its way, by item: "sending in 6 s".
    void setPending(const QMap<QString, QString> &pending);

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    QString ageOf(const Item &item) const;
    QString detailOf(const Item &item) const;
    QString stateOf(const Item &item) const;

    model::Instant m_now = model::never;
    QString m_actor;
    QMap<QString, QString> m_pending;
};

} // namespace holdfast::review
