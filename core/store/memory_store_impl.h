// Shared by the files that implement MemoryStore; nobody else includes it.
#pragma once

#include "store/memory_store.h"

namespace holdfast::store
{

class MemoryStore::Hold
{
public:
    explicit Hold(MemoryStore &store) : m_store(store)
    {
        if (!store.m_inTransaction) {
            store.m_database->mutex.lock();
            m_locked = true;
        }
    }
    ~Hold()
    {
        if (m_locked)
            m_store.m_database->mutex.unlock();
    }
    Q_DISABLE_COPY_MOVE(Hold)

private:
    MemoryStore &m_store;
    bool m_locked = false;
};

template <typename T>
Result<T> MemoryStore::atomically(const std::function<Result<T>()> &work)
{
    if (m_inTransaction)
        return work();
    if (const Result<void> begun = begin(); !begun)
        return begun.error();
    Result<T> answer = work();
    if (!answer) {
        rollback();
        return answer;
    }
    if (const Result<void> committed = commit(); !committed)
        return committed.error();
    return answer;
}

template <typename Map>
void MemoryStore::put(Map &map, const typename Map::key_type &key, typename Map::mapped_type value)
{
    const auto found = map.find(key);
    if (found == map.end())
        m_undo.push_back([&map, key] { map.erase(key); });
    else
        m_undo.push_back([&map, key, old = found->second] { map[key] = old; });
    map[key] = std::move(value);
}

template <typename Map>
void MemoryStore::drop(Map &map, const typename Map::key_type &key)
{
    const auto found = map.find(key);
    if (found == map.end())
        return;
    m_undo.push_back([&map, key, old = found->second] { map[key] = old; });
    map.erase(found);
}

} // namespace holdfast::store
