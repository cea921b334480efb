#include "ui/inspector/fact_list.h"

#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int valueLinesMax = 8;
}

FactList::FactList(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *body = new QWidget;
    auto *column = new QVBoxLayout(body);
    m_grid = new QGridLayout;
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnMinimumWidth(0, fontMetrics().averageCharWidth() * 14);
    m_grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    m_grid->setVerticalSpacing(fontMetrics().height() / 3);
    column->addLayout(m_grid);
    column->addStretch(1);
    setWidget(body);
}

void FactList::addFoot(QWidget *widget)
{
    static_cast<QVBoxLayout *>(this->widget()->layout())->insertWidget(1, widget);
}

void FactList::setFacts(const QVector<Fact> &facts)
{
    QVector<Fact> shown = facts;
    shown.removeIf([](const Fact &fact) { return fact.value.isEmpty(); });
    if (shown == m_facts)
        return;
    m_facts = shown;
    while (m_rows.size() < shown.size()) {
        Row row{new widgets::TokenLabel({}, Token::muted), new widgets::WrapLabel};
        row.value->setLinesMax(valueLinesMax);
        const int at = int(m_rows.size());
        m_grid->addWidget(row.name, at, 0, Qt::AlignTop);
        m_grid->addWidget(row.value, at, 1, Qt::AlignTop);
        m_rows.append(row);
    }
    for (qsizetype at = 0; at < m_rows.size(); ++at) {
        const bool isUsed = at < shown.size();
        const Row &row = m_rows.at(at);
        row.name->setVisible(isUsed);
        row.value->setVisible(isUsed);
        if (!isUsed)
            continue;
        row.name->setText(shown.at(at).name);
        row.value->setObjectName(u"fact:"_s + shown.at(at).name);
        row.value->setText(shown.at(at).value);
        row.value->setToken(shown.at(at).token);
    }
}

QString FactList::valueOf(const QString &name) const
{
    for (const Fact &fact : m_facts) {
        if (fact.name == name)
            return fact.value;
    }
    return {};
}

} // namespace holdfast::inspector
