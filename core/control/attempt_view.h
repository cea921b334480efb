// One attempt as a person sees it: what was sent, what came back, what it counts as and why.
#pragma once

#include "control/loaded_run.h"

namespace holdfast::control
{

class AttemptView
{
public:
    explicit AttemptView(const LoadedRun &loaded) : m_loaded(loaded) {}

    QJsonObject json(const model::Step &step, const model::Attempt &attempt);

private:
    const model::Entry *endOf(const QString &step, const model::Attempt &attempt) const;
    QJsonValue requestOf(const model::Step &step, const model::Attempt &attempt);

    const LoadedRun &m_loaded;
    std::unique_ptr<contract::Evaluator> m_evaluator; // made when a question has to be rendered
};

} // namespace holdfast::control
