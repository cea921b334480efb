#include "ui/runs/run_pager.h"

#include "ui/runs/runs_model.h"

#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using model::Result;

RunPager::RunPager(bridge::Bridge &bridge, RunsModel &model, QObject *parent)
    : QObject(parent), m_bridge(bridge), m_model(model)
{
}

void RunPager::tryFilter(const QString &filter) { loadFirst(filter); }

void RunPager::toTop() { loadFirst(m_filter); }

void RunPager::loadFirst(const QString &filter)
{
    const int generation = ++m_generation;
    m_wanted = filter;
    m_isBusy = true;
    m_bridge.ask(u"runs"_s, {{u"filter"_s, filter}, {u"limit"_s, pageSize}}, this,
                 [this, generation, filter](const Result<QJsonValue> &answer) {
                     if (generation != m_generation)
                         return;
                     if (!answer) {
                         // A filter that is refused leaves the list as it was.
                         const bool isRefused = answer.error().kind == model::ErrorKind::invalid;
                         if (isRefused)
                             m_wanted = m_filter;
                         finish();
                         if (isRefused)
                             Q_EMIT filterRefused(filter, answer.error().message);
                         else
                             Q_EMIT failed(answer.error().message);
                         return;
                     }
                     m_filter = filter;
                     m_isLoaded = true;
                     const QJsonObject page = answer->toObject();
                     m_model.restart(linesOf(page), page["cursor"_L1].toString());
                     finish();
                     Q_EMIT loaded();
                 });
}

void RunPager::askPage(const QString &cursor, const Page &done)
{
    const int generation = m_generation;
    QJsonObject arguments{{u"filter"_s, m_filter}, {u"limit"_s, pageSize}};
    if (!cursor.isEmpty())
        arguments.insert(u"cursor"_s, cursor);
    m_bridge.ask(u"runs"_s, arguments, this,
                 [this, generation, done](const Result<QJsonValue> &answer) {
                     if (generation != m_generation)
                         return;
                     if (!answer) {
                         Q_EMIT failed(answer.error().message);
                         finish();
                         return;
                     }
                     const QJsonObject page = answer->toObject();
                     done(linesOf(page), page["cursor"_L1].toString());
                 });
}

void RunPager::walk(const std::shared_ptr<Walk> &walked, const QString &cursor)
{
    --walked->pagesLeft;
    askPage(cursor, [this, walked](const RunLines &lines, const QString &next) {
        walked->gathered += lines;
        const bool isThere = next.isEmpty() || next <= walked->down;
        if (!isThere && walked->pagesLeft > 0)
            walk(walked, next);
        else
            walked->done(walked->gathered, next, isThere);
    });
}

void RunPager::refresh(const Sight &sight)
{
    m_sight = sight;
    if (m_isBusy) {
        m_refreshAgain = true;
        return;
    }
    if (!m_isLoaded || m_wanted != m_filter) {
        loadFirst(m_wanted);
        return;
    }
    m_isBusy = true;
    if (m_model.hasEarlier())
        readRange(sight);
    else
        readTop();
}

void RunPager::readTop()
{
    const QString first = m_model.rowCount() > 0 ? m_model.line(0).runId : QString();
    const auto top = std::make_shared<Walk>();
    top->down = first;
    top->pagesLeft = catchUpPages;
    top->done = [this](const RunLines &lines, const QString &next, bool isThere) {
        // Short pages found nothing new in what they passed; full ones leave a hole.
        const bool isTooMuch = !isThere && lines.size() >= catchUpPages * pageSize;
        Q_EMIT topRead(lines, next, isTooMuch);
        if (!isTooMuch && m_sight.lastRow >= lines.size())
            readRange(m_sight);
        else
            finish();
    };
    walk(top, {});
}

void RunPager::readRange(const Sight &sight)
{
    if (sight.lastRow < sight.firstRow || m_model.rowCount() == 0) {
        finish();
        return;
    }
    const QString after = m_model.idBefore(std::clamp(sight.firstRow, 0, m_model.rowCount() - 1));
    askPage(after, [this, after](const RunLines &lines, const QString &next) {
        Q_EMIT rangeRead(after, lines, next);
        finish();
    });
}

void RunPager::wantMore()
{
    if (m_isBusy || !m_isLoaded || !m_model.hasMore())
        return;
    m_isBusy = true;
    askPage(m_model.nextCursor(), [this](const RunLines &lines, const QString &next) {
        finish();
        Q_EMIT moreRead(lines, next);
    });
}

void RunPager::wantEarlier()
{
    if (m_isBusy || !m_isLoaded || !m_model.hasEarlier() || m_model.rowCount() == 0)
        return;
    m_isBusy = true;
    const auto earlier = std::make_shared<Walk>();
    earlier->down = m_model.idBefore(0);
    earlier->pagesLeft = 2 * catchUpPages;
    earlier->done = [this](const RunLines &lines, const QString &, bool isThere) {
        if (!isThere) {
            toTop();
            return;
        }
        finish();
        Q_EMIT earlierRead(lines);
    };
    walk(earlier, m_model.earlierCursor());
}

void RunPager::finish()
{
    m_isBusy = false;
    if (!m_refreshAgain)
        return;
    m_refreshAgain = false;
    refresh(m_sight);
}

} // namespace holdfast::runs
