// Work that blocks, done on a thread of its own; what came of it is told on the window's thread.
#pragma once

#include "model/result.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>
#include <functional>

namespace holdfast::console
{

// The answer is dropped when `context` is gone by the time it comes.
template <typename Value>
void later(std::function<model::Result<Value>()> work, QObject *context,
           std::function<void(const model::Result<Value> &)> done)
{
    QThread *thread = QThread::create(
        [work = std::move(work), guard = QPointer(context), done = std::move(done)] {
            const model::Result<Value> value = work();
            QMetaObject::invokeMethod(qApp, [value, guard, done] {
                if (guard)
                    done(value);
            });
        });
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    thread->start();
}

} // namespace holdfast::console
