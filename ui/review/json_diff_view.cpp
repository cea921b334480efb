#include "ui/review/json_diff_view.h"

#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/steady_table.h"

#include <QCheckBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;
using Mark = DiffRow::Mark;

namespace
{
QString markText(Mark mark)
{
    switch (mark) {
    case Mark::same: return u"= same"_s;
    case Mark::differs: return u"≠ differs"_s;
    case Mark::onlyThis: return u"← only here"_s;
    case Mark::onlyOther: return u"→ only there"_s;
    }
    Q_UNREACHABLE();
}
} // namespace

int JsonDiffModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(columnTotal);
}

QVariant JsonDiffModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const DiffRow &row = rows().at(index.row());
    const QString texts[] = {markText(row.mark), row.path, row.left, row.right};
    const bool isSame = row.mark == Mark::same;
    switch (role) {
    case Qt::DisplayRole: return widgets::plainText(texts[index.column()]);
    case Qt::ToolTipRole: return widgets::plainText(texts[index.column()], 4000).toHtmlEscaped();
    case Qt::ForegroundRole: return style::colour(isSame ? Token::muted : Token::bad);
    case Qt::FontRole: {
        QFont font =
            index.column() < left ? QFont() : QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setBold(!isSame);
        return font;
    }
    default: return {};
    }
}

QVariant JsonDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const QStringList titles{u"Difference"_s, u"Field"_s, u"This run"_s, u"The other run"_s};
    if (orientation != Qt::Horizontal || section < 0 || section >= titles.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | Qt::AlignLeft);
    return role == Qt::DisplayRole ? QVariant(titles.at(section)) : QVariant();
}

JsonDiffView::JsonDiffView(QWidget *parent)
    : QWidget(parent), m_model(new JsonDiffModel(this)), m_table(new widgets::SteadyTable),
      m_onlyDifferences(new QCheckBox(u"Only differences"_s))
{
    m_summary = widgets::plainLabel(u"diffSummary"_s, u"How the payloads differ"_s);
    m_onlyDifferences->setObjectName(u"onlyDifferences"_s);
    m_onlyDifferences->setAccessibleName(u"Show only fields that differ"_s);
    m_table->setObjectName(u"diff"_s);
    m_table->setAccessibleName(u"Both payloads, field by field"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Stretch);
    header->setSectionResizeMode(JsonDiffModel::mark, QHeaderView::Fixed);
    header->resizeSection(JsonDiffModel::mark, fontMetrics().averageCharWidth() * 18);
    auto *top = new QHBoxLayout;
    top->addWidget(m_summary, 1);
    top->addWidget(m_onlyDifferences);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    setMinimumHeight(fontMetrics().height() * 9);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, &JsonDiffView::showRows);
}

void JsonDiffView::setPayloads(const QJsonValue &left, const QJsonValue &right)
{
    m_rows = jsonDiff(left, right);
    showRows();
}

void JsonDiffView::showRows()
{
    QVector<DiffRow> shown = m_rows;
    shown.removeIf([](const DiffRow &row) { return row.mark == Mark::same; });
    m_summary->setText(shown.isEmpty()
                           ? u"Both payloads are the same."_s
                           : u"%1 of %2 fields differ."_s.arg(shown.size()).arg(m_rows.size()));
    if (!m_onlyDifferences->isChecked())
        shown = m_rows;
    m_table->changeInPlace([&] { m_model->setRows(shown); });
}

} // namespace holdfast::review
