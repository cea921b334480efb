// Fills a RunsModel from the door: page by page as a person scrolls, and again where the person
// looks when something changed. It never asks the same thing twice at once, and an answer to a
// filter that is no longer in force is dropped.
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/runs/run_line.h"

#include <QObject>
#include <functional>
#include <memory>

namespace holdfast::runs
{

class RunsModel;

class RunPager : public QObject
{
    Q_OBJECT
public:
    static constexpr int pageSize = 100;
    static constexpr int catchUpPages = 5; // more news than this is said, not fetched

    RunPager(bridge::Bridge &bridge, RunsModel &model, QObject *parent = nullptr);

    // Tries another filter; the list stays until the door has accepted it.
    void tryFilter(const QString &filter);
    const QString &filter() const { return m_filter; } // the one in force
    bool isLoaded() const { return m_isLoaded; }

    struct Sight {
        int firstRow = 0;
        int lastRow = -1; // -1: nothing is on the screen
    };
    // Reads again what is on the screen and what is newer than the first row.
    void refresh(const Sight &sight);
    void wantMore();
    void wantEarlier();
    void toTop(); // starts the list over

Q_SIGNALS:
    void loaded(); // the list starts over
    void filterRefused(const QString &filter, const QString &why);
    void failed(const QString &why);
    // The model is about to change by this; who listens lets it in and keeps the rows in place.
    void topRead(const holdfast::runs::RunLines &lines, const QString &next, bool isTooMuch);
    void rangeRead(const QString &after, const holdfast::runs::RunLines &lines,
                   const QString &next);
    void moreRead(const holdfast::runs::RunLines &lines, const QString &next);
    void earlierRead(const holdfast::runs::RunLines &lines);

private:
    // `next` is the cursor of the page that follows; empty: none does.
    using Page = std::function<void(const RunLines &lines, const QString &next)>;

    // Page after page until the run `down` is reached.
    struct Walk {
        QString down;
        int pagesLeft = 0;
        RunLines gathered;
        std::function<void(const RunLines &lines, const QString &next, bool isThere)> done;
    };

    void askPage(const QString &cursor, const Page &done);
    void walk(const std::shared_ptr<Walk> &walked, const QString &cursor);
    void loadFirst(const QString &filter);
    void readTop();
    void readRange(const Sight &sight);
    void finish();

    bridge::Bridge &m_bridge;
    RunsModel &m_model;
    QString m_filter;
    QString m_wanted; // differs from the one in force until the door has answered
    bool m_isLoaded = false;
    bool m_isBusy = false; // one question at a time; a refresh while busy is remembered
    bool m_refreshAgain = false;
    Sight m_sight;
    int m_generation = 0;
};

} // namespace holdfast::runs
