// The filter as text: terms between blanks, each `word:value` or a bare id. The door decides what a
// term means and refuses what it does not know; here it is only taken apart, for chips and
// completion.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace holdfast::runs
{

// Blanks inside double quotes belong to the term.
QStringList termsOf(const QString &filter);
QString filterOf(const QStringList &terms);
// "status" of "status:review"; empty for a bare word.
QString wordOf(const QString &term);
// The terms with these added; a term with a word replaces the one with the same word, since a run
// has one status, one workflow and so on.
QStringList withTerms(QStringList terms, const QStringList &added);

// What could stand where the cursor is.
struct Completion {
    int from = 0; // the part of the text that a candidate replaces
    int to = 0;
    QStringList candidates;
};
// `words` is the "words" object of the door's "filter_words".
Completion completionAt(const QString &text, int cursor, const QJsonObject &words);

} // namespace holdfast::runs
