// The way a person went through the pages: back, forward, and a new turn that forgets the old
// forward.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QVector>

namespace holdfast::shell
{

struct Place {
    QString page;
    QJsonObject where;

    bool operator==(const Place &) const = default;
};

class History
{
public:
    // The same place twice is one.
    void visit(const Place &place);
    // The page moved within itself: the place stood at is another, the way to it is not.
    void replace(const Place &place);
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }
    Place back();
    Place forward();
    Place current() const { return m_at < 0 ? Place() : m_places.at(m_at); }

private:
    QVector<Place> m_places;
    qsizetype m_at = -1;
};

} // namespace holdfast::shell
