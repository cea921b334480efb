#include "app/ctl/invocation.h"

#include "model/json.h"

#include <QFile>

namespace holdfast::ctl
{

using namespace Qt::StringLiterals;
using model::Result;

std::optional<Result<qint64>> Invocation::integer(const QString &name) const
{
    if (!has(name))
        return std::nullopt;
    bool ok = false;
    const qint64 value = option(name).toLongLong(&ok);
    if (!ok || value < 0)
        return Result<qint64>(model::invalid(u"--%1 needs a whole number"_s.arg(name)));
    return Result<qint64>(value);
}

void Invocation::copyTexts(QJsonObject &arguments, const QStringList &names) const
{
    for (const QString &name : names) {
        if (has(name))
            arguments.insert(QString(name).replace(u'-', u'_'), option(name));
    }
}

int Invocation::ask(const QString &name, const QJsonObject &arguments, const Text &text) const
{
    Database database(url());
    const auto answer = database.call(name, arguments);
    if (!answer)
        return out.fail(answer.error());
    if (answer->isObject() && answer->toObject().contains("refused"_L1))
        return out.refuse(answer->toObject());
    out.print(*answer, out.isJson() ? QString() : text(*answer));
    return exitDone;
}

int Invocation::act(const QString &name, const QJsonObject &arguments) const
{
    Database database(url());
    const auto answer = database.act(name, arguments);
    if (!answer)
        return out.fail(answer.error());
    const QString state = (*answer)["state"_L1].toString();
    if (state == "rejected"_L1)
        return out.fail(model::refused((*answer)["message"_L1].toString()));
    const QString text = state == "applied"_L1
                             ? u"applied"_s
                             : u"recorded; a worker applies it when it next looks"_s;
    out.print(*answer, text);
    return exitDone;
}

Result<QJsonValue> readJsonArgument(const QString &argument)
{
    const model::JsonLimits limits;
    if (argument != "-"_L1 && !argument.startsWith(u'@'))
        return model::parseJson(argument.toUtf8(), limits);
    QFile file;
    const QString name = argument == "-"_L1 ? u"standard input"_s : argument.mid(1);
    bool opened = false;
    if (argument == "-"_L1) {
        opened = file.open(stdin, QIODevice::ReadOnly);
    } else {
        file.setFileName(name);
        opened = file.open(QIODevice::ReadOnly);
    }
    if (!opened)
        return model::invalid(u"cannot read %1: %2"_s.arg(name, file.errorString()));
    // One byte more than allowed is enough for the parser to say that it is too much.
    QByteArray text;
    while (text.size() <= limits.bytes) {
        const QByteArray chunk = file.read(limits.bytes + 1 - text.size());
        if (chunk.isEmpty())
            break;
        text += chunk;
    }
    const auto parsed = model::parseJson(text, limits);
    if (!parsed)
        return model::invalid(u"%1: %2"_s.arg(name, parsed.error().message));
    return *parsed;
}

} // namespace holdfast::ctl
