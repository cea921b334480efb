#include "ui/shell/history.h"

namespace holdfast::shell
{

namespace
{
constexpr qsizetype placesMax = 100;
} // namespace

void History::visit(const Place &place)
{
    if (m_at >= 0 && m_places.at(m_at) == place)
        return;
    m_places.resize(m_at + 1);
    m_places.append(place);
    if (m_places.size() > placesMax)
        m_places.removeFirst();
    m_at = m_places.size() - 1;
}

void History::replace(const Place &place)
{
    if (m_at >= 0)
        m_places[m_at] = place;
    else
        visit(place);
}

Place History::back()
{
    if (canGoBack())
        --m_at;
    return current();
}

Place History::forward()
{
    if (canGoForward())
        ++m_at;
    return current();
}

} // namespace holdfast::shell
