#include "ui/pause/audit_model.h"

#include "ui/style/theme.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using style::Token;

AuditLine AuditLine::fromJson(const QJsonObject &json)
{
    AuditLine line;
    line.seq = json.value("seq"_L1).toInteger();
    line.id = QString::number(line.seq);
    line.chain = json.value("chain"_L1).toString();
    line.actor = json.value("actor"_L1).toString();
    line.action = json.value("action"_L1).toString();
    line.subject = json.value("subject"_L1).toString();
    line.at = widgets::instantOf(json.value("at"_L1));
    line.body = json.value("body"_L1);
    line.hash = json.value("hash"_L1).toString();
    return line;
}

QString AuditLine::reason() const { return body["reason"_L1].toString(); }

QJsonObject AuditLine::toJson() const
{
    return {{u"seq"_s, seq},     {u"chain"_s, chain},   {u"at"_s, model::instantText(at)},
            {u"actor"_s, actor}, {u"action"_s, action}, {u"subject"_s, subject},
            {u"body"_s, body},   {u"hash"_s, hash}};
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AuditLine &line = rows().at(index.row());
    const auto text = [&]() -> QString {
        switch (Column(index.column())) {
        case number: return line.id;
        case at: return widgets::shortTime(line.at);
        case actor: return line.actor;
        case action: return line.action;
        case subject: return line.subject;
        case reason: return line.reason();
        case columnTotal: break;
        }
        return {};
    };
    const bool isQuiet = index.column() == number || index.column() == at;
    switch (role) {
    case Qt::DisplayRole: return widgets::plainText(text());
    case Qt::ToolTipRole:
        return index.column() == at ? widgets::fullTime(line.at)
                                    : widgets::plainText(text(), 4000).toHtmlEscaped();
    case Qt::ForegroundRole: return style::colour(isQuiet ? Token::muted : Token::text);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == number ? Qt::AlignRight : Qt::AlignLeft));
    default: return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"No."_s, u"When"_s,    u"Who"_s,
                                    u"Did"_s, u"To what"_s, u"Why"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == number ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? QVariant(titles.at(section)) : QVariant();
}

} // namespace holdfast::pause
