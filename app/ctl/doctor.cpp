// doctor: what stands where, what is wrong, what is safe to do.
#include "app/ctl/invocation.h"

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;

namespace
{
QString doctorText(const QJsonValue &answer)
{
    QString text;
    const QJsonObject object = answer.toObject();
    for (auto member = object.constBegin(); member != object.constEnd(); ++member) {
        if (member.key() != "problems"_L1)
            text +=
                u"%1 %2\n"_s.arg((member.key() + u':').leftJustified(20), plain(member.value()));
    }
    const QJsonArray problems = answer["problems"_L1].toArray();
    if (problems.isEmpty())
        return text + u"\nnothing is wrong\n"_s;
    for (const QJsonValue &problem : problems)
        text += u"\n%1: %2\n  safe: %3\n"_s.arg(
            plain(problem["severity"_L1]), plain(problem["what"_L1]), plain(problem["safe"_L1]));
    return text;
}

int runDoctor(Invocation &invocation)
{
    Database database(invocation.url());
    const auto answer = database.call(u"doctor"_s, {});
    if (!answer)
        return invocation.out.fail(answer.error());
    invocation.out.print(*answer, invocation.out.isJson() ? QString() : doctorText(*answer));
    const QJsonArray problems = (*answer)["problems"_L1].toArray();
    for (const QJsonValue &problem : problems) {
        if (problem["severity"_L1].toString() == "error"_L1)
            return exitRefused;
    }
    return exitDone;
}
} // namespace

QVector<Subcommand> doctorCommands()
{
    return {{u"doctor"_s,
             u"doctor"_s,
             u"Says what is wrong and what is safe to do. Notices and warnings exit 0; exit 1 when "
             "the database cannot be used."_s,
             {},
             0,
             0,
             u"doctor"_s,
             runDoctor}};
}

} // namespace holdfast::ctl
