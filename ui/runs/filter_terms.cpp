#include "ui/runs/filter_terms.h"

#include <QJsonArray>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

namespace
{
constexpr qsizetype candidatesMax = 50;

const QStringList &allWords()
{
    static const QStringList words{u"status"_s, u"workflow"_s, u"step"_s, u"reason"_s,
                                   u"event"_s,  u"key"_s,      u"run"_s,  u"dependency"_s,
                                   u"since"_s,  u"until"_s};
    return words;
}

QStringList valuesOf(const QString &word, const QJsonObject &words)
{
    if (word == "since"_L1 || word == "until"_L1)
        return {u"1h"_s, u"24h"_s, u"7d"_s, u"30d"_s};
    QStringList values;
    const QJsonArray known = words.value(word).toArray();
    for (const QJsonValue &value : known) {
        const QString text = value.toString();
        values << (text.contains(u' ') ? u'"' + text + u'"' : text);
    }
    return values;
}

QStringList matching(const QStringList &values, const QString &begun)
{
    QStringList first;
    QStringList later;
    for (const QString &value : values) {
        if (value.startsWith(begun, Qt::CaseInsensitive))
            first << value;
        else if (value.contains(begun, Qt::CaseInsensitive))
            later << value;
    }
    return (first + later).mid(0, candidatesMax);
}
} // namespace

QStringList termsOf(const QString &filter)
{
    QStringList terms;
    QString term;
    bool isQuoted = false;
    bool isEscaped = false; // a backslash in quotes keeps the character after it
    for (const QChar letter : filter) {
        if (letter == u'"' && !isEscaped)
            isQuoted = !isQuoted;
        isEscaped = isQuoted && letter == u'\\' && !isEscaped;
        if (letter.isSpace() && !isQuoted) {
            if (!term.isEmpty())
                terms << term;
            term.clear();
        } else {
            term += letter;
        }
    }
    if (!term.isEmpty())
        terms << term;
    return terms;
}

QString filterOf(const QStringList &terms) { return terms.join(u' '); }

QString wordOf(const QString &term)
{
    const QString word = term.section(u':', 0, 0);
    return word.size() < term.size() && allWords().contains(word) ? word : QString();
}

QStringList withTerms(QStringList terms, const QStringList &added)
{
    for (const QString &term : added) {
        const QString word = wordOf(term);
        const auto same = std::find_if(terms.begin(), terms.end(), [&](const QString &old) {
            return old == term || (!word.isEmpty() && wordOf(old) == word);
        });
        if (same == terms.end())
            terms << term;
        else
            *same = term;
    }
    return terms;
}

Completion completionAt(const QString &text, int cursor, const QJsonObject &words)
{
    int from = std::clamp(cursor, 0, int(text.size()));
    const int to = from;
    while (from > 0 && !text.at(from - 1).isSpace())
        --from;
    const QString begun = text.mid(from, to - from);
    const qsizetype colon = begun.indexOf(u':');
    if (colon < 0) {
        QStringList candidates;
        for (const QString &word : matching(allWords(), begun)) {
            if (word.startsWith(begun, Qt::CaseInsensitive))
                candidates << word + u':';
        }
        return {from, to, candidates};
    }
    const QString word = begun.left(colon);
    const qsizetype value = std::max(colon, begun.lastIndexOf(u',')) + 1;
    QStringList candidates = matching(valuesOf(word, words), begun.mid(value));
    candidates.removeAll(begun.mid(value));
    return {from + int(value), to, candidates};
}

} // namespace holdfast::runs
