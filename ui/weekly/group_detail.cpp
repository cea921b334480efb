#include "ui/weekly/group_detail.h"

#include "ui/style/group_look.h"
#include "ui/weekly/report_text.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/trend_delegate.h"
#include "ui/widgets/wrap_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace holdfast::weekly
{

using namespace Qt::StringLiterals;
using style::Token;

class TrendBars : public QWidget
{
public:
    TrendBars()
    {
        setObjectName(u"groupTrend"_s);
        setAccessibleName(u"Runs per day"_s);
        setFixedSize(fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 2);
    }
    void setTrend(const QJsonArray &trend)
    {
        m_values = trend.toVariantList();
        setAccessibleDescription(trendText(trend));
        setToolTip(u"Runs per day: "_s + trendText(trend));
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setPen(style::colour(Token::busy));
        widgets::paintTrend(painter, QRectF(rect()).adjusted(0, 2, 0, -2), m_values);
    }

private:
    QVariantList m_values;
};

widgets::WrapLabel *GroupDetail::line(const QString &name, const QString &accessibleName, int lines)
{
    auto *label = new widgets::WrapLabel(name, accessibleName);
    label->setLinesMax(lines);
    return label;
}

GroupDetail::GroupDetail(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"groupDetail"_s);
    m_status = new widgets::TokenLabel;
    m_status->setObjectName(u"groupStatus"_s);
    m_status->setAccessibleName(u"Status of the group"_s);
    m_status->setSize(1.1, true);
    m_title = line(u"groupTitle"_s, u"Failure group"_s, 2);
    m_message = line(u"groupMessage"_s, u"Message"_s, 3);
    m_grouped = line(u"groupedBy"_s, u"How it was grouped"_s, 2);
    m_grouped->setToken(Token::muted);
    m_trend = new TrendBars;
    m_outcomes = line(u"groupOutcomes"_s, u"What became of its runs"_s, 2);
    m_people = line(u"groupPeople"_s, u"Owner, tags and decision"_s, 2);
    m_suggestion = line(u"groupSuggestion"_s, u"Suggested change of policy"_s, 2);
    m_notes = line(u"groupNotes"_s, u"Notes"_s, 6);
    m_problem = line(u"groupProblem"_s, u"What could not be read"_s, 2);
    m_problem->setToken(Token::bad);
    const int unit = fontMetrics().averageCharWidth();
    auto *top = new QHBoxLayout;
    top->addWidget(m_status, 0, Qt::AlignTop);
    top->addSpacing(unit);
    top->addWidget(m_title, 1, Qt::AlignTop);
    auto *days = new QHBoxLayout;
    days->addWidget(m_trend);
    days->addSpacing(unit * 2);
    days->addWidget(m_outcomes, 1, Qt::AlignVCenter);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit, unit, unit, unit);
    column->setSpacing(unit * 2 / 3);
    column->addLayout(top);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_message, m_grouped})
        column->addWidget(widget);
    column->addLayout(days);
    for (QWidget *widget :
         std::initializer_list<QWidget *>{m_people, m_suggestion, m_notes, m_problem})
        column->addWidget(widget);
    column->addStretch();
    clear();
}

void GroupDetail::clear()
{
    setGroup({});
    m_title->setText(u"No group is chosen."_s);
}

void GroupDetail::setProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

void GroupDetail::setGroup(const QJsonObject &group)
{
    setProblem({});
    const style::StatusLook look = style::groupLook(group["status"_L1].toString());
    m_status->setVisible(!group.isEmpty());
    m_status->setText(widgets::plainText(look.text(), 40));
    m_status->setToken(look.token);
    m_title->setText(u"%1 · %2 · %3, %4 · first %5 · last %6"_s.arg(
        groupWhere(group), groupReason(group),
        countText(group["runs"_L1].toDouble(), u"run"_s, u"runs"_s),
        countText(group["occurrences"_L1].toDouble(), u"time"_s, u"times"_s),
        widgets::shortTime(widgets::instantOf(group["first_at"_L1])),
        widgets::shortTime(widgets::instantOf(group["last_at"_L1]))));
    m_message->setText(group["message"_L1].toString());
    m_message->setVisible(!m_message->text().isEmpty());
    const QJsonObject by = group["grouped_by"_L1].toObject();
    m_grouped->setText(u"Grouped by "_s + pairsText(by));
    m_grouped->setVisible(!by.isEmpty());
    m_trend->setTrend(group["trend"_L1].toArray());
    m_trend->setVisible(!group.isEmpty());
    m_outcomes->setText(outcomesText(group["outcomes"_L1].toObject()));
    const QString owner = group["owner"_L1].toString();
    const QString tags = tagsText(group["tags"_L1].toArray());
    QString people = u"Owner: %1   Root cause: %2"_s.arg(owner.isEmpty() ? u"nobody"_s : owner,
                                                         tags.isEmpty() ? u"no tag"_s : tags);
    if (!group["disposition"_L1].toString().isEmpty())
        people += u"   %1 by %2, %3"_s.arg(
            groupDecision(group), group["decided_by"_L1].toString(),
            widgets::shortTime(widgets::instantOf(group["decided_at"_L1])));
    if (const qsizetype merged = group["merged"_L1].toArray().size(); merged > 0)
        people += u"   %1 merged into it"_s.arg(merged);
    m_people->setText(people);
    m_people->setVisible(!group.isEmpty());
    const QString suggestion = suggestionText(group["suggestion"_L1].toObject());
    m_suggestion->setText(suggestion.isEmpty() ? QString() : u"Suggestion — "_s + suggestion);
    m_suggestion->setVisible(!suggestion.isEmpty());
    QStringList notes;
    for (const QJsonValue &note : group["notes"_L1].toArray())
        notes << u"%1, %2: %3"_s.arg(note["by"_L1].toString(),
                                     widgets::shortTime(widgets::instantOf(note["at"_L1])),
                                     note["text"_L1].toString());
    if (notes.isEmpty() && !group["note"_L1].toString().isEmpty())
        notes << group["note"_L1].toString();
    m_notes->setText(notes.isEmpty() ? QString() : u"Notes — "_s + notes.join(u" · "_s));
    m_notes->setVisible(!notes.isEmpty());
}

} // namespace holdfast::weekly
