#include "ui/pause/preflight_view.h"

#include "ui/pause/pause_state.h"
#include "ui/style/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"

#include <QGridLayout>
#include <QJsonArray>
#include <QVBoxLayout>
#include <cmath>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int keysShown = 4;
constexpr int dependenciesShown = 6;

QString breakerText(const QString &state)
{
    if (state == "open"_L1)
        return u"✖ breaker open"_s;
    if (state == "half_open"_L1 || state == "half-open"_L1)
        return u"◐ breaker half open"_s;
    return u"✔ breaker closed"_s;
}

QString rateText(const QJsonValue &rate)
{
    if (!rate.isDouble())
        return u"no calls in the last hour: health unknown"_s;
    return u"%1 % succeeded in the last hour"_s.arg(rate.toDouble() * 100, 0, 'f', 1);
}
} // namespace

PreflightView::PreflightView(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"preflight"_s);
    setAccessibleName(u"Check before resuming"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    begin();
    addRow(u"Looking…"_s, {}, {}, false);
}

void PreflightView::begin()
{
    delete m_inside;
    m_inside = new QWidget;
    m_grid = new QGridLayout(m_inside);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setColumnStretch(2, 1);
    m_grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 3);
    m_grid->setVerticalSpacing(fontMetrics().height() / 6);
    layout()->addWidget(m_inside);
}

void PreflightView::addHeading(const QString &text)
{
    const int row = m_grid->rowCount();
    m_grid->setRowMinimumHeight(row, fontMetrics().height() / 3);
    m_grid->addWidget(widgets::heading(text), row + 1, 0, 1, 3);
}

void PreflightView::addRow(const QString &left, const QString &middle, const QString &right,
                           bool isBad)
{
    m_isWell = m_isWell && !isBad;
    const int row = m_grid->rowCount();
    const QString texts[] = {left, middle, right};
    for (int column = 0; column < 3; ++column) {
        if (texts[column].isEmpty())
            continue;
        auto *label = new widgets::ElidedLabel(u"preflight%1_%2"_s.arg(row).arg(column), left);
        label->setWhole(texts[column]);
        const Token token = isBad && column > 0 ? Token::bad
                            : column == 2       ? Token::muted
                                                : Token::text;
        widgets::setTextColour(label, style::colour(token));
        const bool isLast = column < 2 && texts[column + 1].isEmpty();
        m_grid->addWidget(label, row, column, 1, isLast ? 3 - column : 1);
    }
}

void PreflightView::setCheck(const QJsonObject &check, model::Instant now)
{
    begin();
    m_isWell = true;
    addHeld(check);
    addKeys(check.value("keys_expiring"_L1).toArray(), now);
    addDependencies(check.value("dependencies"_L1).toArray());
}

void PreflightView::setProblem(const QString &problem)
{
    begin();
    m_isWell = false;
    addRow(u"✖ The check could not be made: %1"_s.arg(problem), {}, {}, true);
}

void PreflightView::addHeld(const QJsonObject &check)
{
    const int held = check.value("held"_L1).toInt();
    addHeading(u"Held"_s);
    addRow(countText(held, u"run is held"_s, u"runs are held"_s),
           held == 0 ? u"nothing will be sent by resuming"_s : QString(), {}, false);
    for (const QJsonValue &age : check.value("by_age"_L1).toArray()) {
        if (const int count = age["count"_L1].toInt(); count > 0)
            addRow(u"    "_s + age["label"_L1].toString(), QString::number(count), {}, false);
    }
}

void PreflightView::addKeys(const QJsonArray &keys, model::Instant now)
{
    addHeading(u"Keys"_s);
    if (keys.isEmpty())
        addRow(u"✔ No key of a held run is about to be forgotten."_s, {}, {}, false);
    for (int i = 0; i < std::min<int>(keysShown, int(keys.size())); ++i) {
        const QJsonValue key = keys.at(i);
        const model::Instant until = widgets::instantOf(key["expires_at"_L1]);
        const bool isPast = until <= now;
        addRow(key["step"_L1].toString(),
               isPast ? u"✖ forgotten %1 ago"_s.arg(widgets::durationText(now - until))
                      : u"◔ forgotten %1"_s.arg(widgets::ageText(until, now)),
               key["key"_L1].toString(), isPast);
    }
    if (keys.size() > keysShown)
        addRow(u"and %1 more"_s.arg(keys.size() - keysShown), {}, {}, false);
}

void PreflightView::addDependencies(const QJsonArray &dependencies)
{
    addHeading(u"Dependencies"_s);
    if (dependencies.isEmpty())
        addRow(u"None in this scope."_s, {}, {}, false);
    for (int i = 0; i < std::min<int>(dependenciesShown, int(dependencies.size())); ++i) {
        const QJsonValue one = dependencies.at(i);
        const QString state = one["breaker"_L1].toString();
        const QString error = one["last_error"_L1].toString();
        const QString rate = rateText(one["success_rate"_L1]);
        addRow(one["dependency"_L1].toString(), breakerText(state),
               error.isEmpty() ? rate : u"%1; last: %2"_s.arg(rate, error), state == "open"_L1);
    }
    if (dependencies.size() > dependenciesShown)
        addRow(u"and %1 more"_s.arg(dependencies.size() - dependenciesShown), {}, {}, false);
}

} // namespace holdfast::pause
