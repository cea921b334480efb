#include "runtime/crash_point.h"

#include "model/names.h"

#include <QString>
#include <QStringList>

#include <csignal>
#include <unistd.h>

namespace holdfast::runtime
{

namespace
{
constexpr std::array<model::Name<CrashPoint>, 19> names{
    {{CrashPoint::afterClaim, u"after_claim"},
     {CrashPoint::beforeCommit, u"before_commit"},
     {CrashPoint::afterCommit, u"after_commit"},
     {CrashPoint::afterSend, u"after_send"},
     {CrashPoint::afterResponse, u"after_response"},
     {CrashPoint::beforeReceipt, u"before_receipt"},
     {CrashPoint::afterReceipt, u"after_receipt"},
     {CrashPoint::betweenUndo, u"between_undo"},
     {CrashPoint::beforeItems, u"before_items"},
     {CrashPoint::afterItems, u"after_items"},
     {CrashPoint::beforeDelivery, u"before_delivery"},
     {CrashPoint::afterDelivery, u"after_delivery"},
     {CrashPoint::beforeTrip, u"before_trip"},
     {CrashPoint::afterTrip, u"after_trip"},
     {CrashPoint::archiveDrafted, u"archive_drafted"},
     {CrashPoint::archivePlaced, u"archive_placed"},
     {CrashPoint::archiveWritten, u"archive_written"},
     {CrashPoint::archiveRemoving, u"archive_removing"},
     {CrashPoint::archiveRemoved, u"archive_removed"}}};

struct Plan {
    std::optional<CrashPoint> point;
    int passesLeft = 0;
};

Plan planFrom(const char *variable)
{
    const QStringList parts = qEnvironmentVariable(variable).split(u':');
    Plan plan;
    plan.point = model::valueOf(names, parts.first());
    plan.passesLeft = parts.size() > 1 ? parts.at(1).toInt() : 1;
    return plan;
}

void act(Plan &plan, CrashPoint point, int signal)
{
    if (plan.point == point && --plan.passesLeft == 0)
        kill(getpid(), signal);
}
} // namespace

void pass(CrashPoint point)
{
    static Plan crash = planFrom("HOLDFAST_CRASH_AT");
    static Plan freeze = planFrom("HOLDFAST_FREEZE_AT");
    act(crash, point, SIGKILL);
    act(freeze, point, SIGSTOP);
}

} // namespace holdfast::runtime
