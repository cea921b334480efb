// Figures and groups of a report in words, the same on the page and in the PDF.
#pragma once

#include "ui/widgets/figure_text.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace holdfast::weekly
{

using widgets::figureText;

// Against the week before: "+3 %" for counts, "−0.4" for percents; a dash where one is not known.
QString changeText(const QJsonValue &now, const QJsonValue &before, const QString &unit);
// "1 run", "1,204 runs".
QString countText(double count, const QString &one, const QString &many);
// "4 groups, 1 settled, 3 left" with `between` between; says when the report lists not all of them.
QString groupsText(const QJsonObject &report, const QString &between);
// "−3" or "×4.2": how many more runs than the week before.
QString groupChange(const QJsonObject &group);
QString groupWhere(const QJsonObject &group);          // workflow · step
QString groupReason(const QJsonObject &group);         // class · reason
QString groupDecision(const QJsonObject &group);       // what a person decided; empty: nothing yet
QString suggestionText(const QJsonObject &suggestion); // empty: there is none
// What a person decided still holds: it was resolved or archived and did not come back.
bool isSettled(const QJsonObject &group);
QString trendText(const QJsonArray &trend); // "0, 2, 5"
QString tagsText(const QJsonArray &tags);
QString outcomesText(const QJsonObject &outcomes);
QString costText(const QJsonObject &cost); // attempts and retries in a sentence
QString modelText(const QJsonValue &model);
QString flipsText(const QJsonValue &flips); // leads that changed hands, in a sentence
// Hours that the figures lack, each with its reason.
QStringList incompleteLines(const QJsonArray &incomplete);
// An object of unknown shape in one line: "name: value, …".
QString pairsText(const QJsonObject &object);
QString signoffText(const QJsonObject &signoff);
// What is no longer as it was signed; empty: nothing, as far as is known.
QString signoffChange(const QJsonObject &signoff);

} // namespace holdfast::weekly
