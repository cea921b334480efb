// I8 and I9: a run's journal has no gap and no double, its fences only grow, each fence is one
// worker's, and no worker writes under a fence that another has passed.
#include "simulation/checkers/all.h"

namespace holdfast::simulation
{

using namespace Qt::StringLiterals;

void checkOneOwner(Evidence &evidence)
{
    for (const auto &[runId, positions] : evidence.database.journalOfRun) {
        int seq = 0;
        qint64 fence = 0;
        std::map<qint64, QString> owners;
        for (const size_t position : positions) {
            const ports::JournalRow &row = evidence.database.journal[position];
            if (row.seq != ++seq)
                evidence.add("I8",
                             u"version %1 of a run stands where %2 should"_s.arg(row.seq).arg(seq));
            if (row.fence < fence)
                evidence.add("I9", u"%1 wrote with fence %2 after fence %3"_s.arg(row.worker)
                                       .arg(row.fence)
                                       .arg(fence));
            fence = std::max(fence, row.fence);
            if (row.fence == 0)
                continue;
            const QString owner = owners.emplace(row.fence, row.worker).first->second;
            if (owner != row.worker)
                evidence.add(
                    "I8", u"%1 and %2 both own fence %3"_s.arg(owner, row.worker).arg(row.fence));
        }
    }
}

} // namespace holdfast::simulation
