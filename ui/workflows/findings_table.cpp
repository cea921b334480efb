#include "ui/workflows/findings_table.h"

#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/plain_text.h"

#include <QJsonObject>

namespace holdfast::workflows
{

using namespace Qt::StringLiterals;
using style::Token;
using widgets::JsonColumn;

namespace
{
bool isError(const QJsonObject &finding)
{
    return finding.value("severity"_L1).toString() == "error"_L1;
}

QString placeOf(const QJsonObject &finding)
{
    const int line = finding.value("line"_L1).toInt();
    return line > 0 ? QString::number(line) : QString();
}
} // namespace

FindingsTable::FindingsTable(QWidget *parent) : SteadyTable(parent)
{
    setObjectName(u"findings"_s);
    setAccessibleName(u"Findings"_s);
    setSelectionMode(QAbstractItemView::SingleSelection);
    JsonColumn severity{u"Severity"_s, [](const QJsonObject &finding) {
                            return isError(finding) ? u"✖ error"_s : u"▲ warning"_s;
                        }};
    severity.token = [](const QJsonObject &finding) {
        return isError(finding) ? Token::bad : Token::attention;
    };
    JsonColumn line{u"Line"_s, placeOf};
    line.figure = [](const QJsonObject &finding) {
        return QVariant(finding.value("line"_L1).toInt());
    };
    line.alignment = Qt::AlignRight | Qt::AlignVCenter;
    const auto text = [](const QString &title, const QString &name) {
        return JsonColumn{
            title, [name](const QJsonObject &finding) { return finding.value(name).toString(); }};
    };
    m_model = new widgets::JsonTableModel(
        {severity, line, text(u"Message"_s, u"message"_s), text(u"Rule"_s, u"rule"_s)},
        [](const QJsonObject &finding) {
            return u"%1:%2:%3:%4"_s.arg(finding.value("file"_L1).toString())
                .arg(finding.value("line"_L1).toInt())
                .arg(finding.value("column"_L1).toInt())
                .arg(finding.value("message"_L1).toString());
        },
        this);
    setModel(m_model);
    m_model->sort(1);
    widgets::setColumnWidths(*this, {12, 6, 0, 24});
    new widgets::EmptyNote(this, u"Nothing was found."_s);
    connect(this, &QTableView::activated, this, [this](const QModelIndex &index) {
        const QJsonObject &finding = m_model->row(index.row());
        Q_EMIT lineWanted(finding.value("file"_L1).toString(), finding.value("line"_L1).toInt());
    });
}

void FindingsTable::setFindings(const QJsonArray &findings)
{
    changeInPlace([&] { m_model->setRows(findings); });
}

QMap<int, widgets::LineMark> marksOf(const QJsonArray &findings, const QString &file)
{
    QMap<int, widgets::LineMark> marks;
    for (const QJsonValue &value : findings) {
        const QJsonObject finding = value.toObject();
        if (!file.isEmpty() && finding.value("file"_L1).toString() != file)
            continue;
        widgets::LineMark &mark = marks[finding.value("line"_L1).toInt()];
        mark.isError = mark.isError || isError(finding);
        mark.message += mark.message.isEmpty() ? QString() : u"\n"_s;
        mark.message += widgets::plainText(finding.value("message"_L1).toString());
    }
    return marks;
}

} // namespace holdfast::workflows
