#include "control/run_filter.h"

#include "model/run.h"

#include <QVector>
#include <algorithm>

namespace holdfast::control
{

using namespace Qt::StringLiterals;
using model::Instant;
using model::Result;

namespace
{
const QStringList &knownWords()
{
    static const QStringList words{u"status"_s, u"workflow"_s,   u"step"_s, u"reason"_s,
                                   u"event"_s,  u"key"_s,        u"run"_s,  u"since"_s,
                                   u"until"_s,  u"dependency"_s, u"group"_s};
    return words;
}

struct Token {
    QString text; // as written, for errors
    QString name; // empty: a bare word
    QString value;
};

// Splits at spaces outside quotes; a backslash in quotes keeps the character after it.
class Tokens
{
public:
    explicit Tokens(const QString &text) : m_text(text) {}

    Result<QVector<Token>> read()
    {
        QVector<Token> tokens;
        while (skipSpaces()) {
            const auto token = next();
            if (!token)
                return token.error();
            tokens.append(*token);
        }
        return tokens;
    }

private:
    bool skipSpaces()
    {
        while (m_at < m_text.size() && m_text.at(m_at).isSpace())
            ++m_at;
        return m_at < m_text.size();
    }
    Result<Token> next()
    {
        const qsizetype start = m_at;
        Token token;
        bool mayBeName = true;
        bool hasName = false;
        while (m_at < m_text.size() && !m_text.at(m_at).isSpace()) {
            const QChar c = m_text.at(m_at);
            if (c == u'"') {
                mayBeName = false;
                if (!quoted(token.value))
                    return model::invalid(
                        u"the quote in %1 is not closed"_s.arg(m_text.mid(start).trimmed()));
                continue;
            }
            ++m_at;
            if (c == u':' && mayBeName && !hasName) {
                token.name = token.value;
                token.value.clear();
                hasName = true;
                continue;
            }
            token.value += c;
        }
        token.text = m_text.mid(start, m_at - start);
        if (hasName && token.name.isEmpty())
            return model::invalid(u"%1 has no word before the colon"_s.arg(token.text));
        return token;
    }
    bool quoted(QString &value)
    {
        for (++m_at; m_at < m_text.size(); ++m_at) {
            QChar c = m_text.at(m_at);
            if (c == u'"') {
                ++m_at;
                return true;
            }
            if (c == u'\\' && m_at + 1 < m_text.size())
                c = m_text.at(++m_at);
            value += c;
        }
        return false;
    }

    const QString &m_text;
    qsizetype m_at = 0;
};

Result<QStringList> statusesOf(const Token &token)
{
    const QStringList statuses = token.value.split(u',', Qt::SkipEmptyParts);
    for (const QString &status : statuses) {
        if (!model::runStatusFromName(status))
            return model::invalid(u"%1 is no status of a run; known are %2"_s.arg(
                status, runStatusNames().join(u", "_s)));
    }
    if (statuses.isEmpty())
        return model::invalid(u"%1 needs a value"_s.arg(token.text));
    return statuses;
}

// "7d" is so long ago; else an instant or a date.
Result<Instant> instantOfToken(const Token &token, Instant now)
{
    if (const auto ago = model::parseDuration(token.value))
        return std::max<Instant>(1, now - *ago);
    if (const auto instant = model::parseInstant(token.value))
        return *instant;
    return model::invalid(
        u"%1 is no time: write 30m, 7d, 2026-11-16 or 2026-11-16T08:00:00Z"_s.arg(token.text));
}

QString *placeOf(RunWords &words, const QString &name)
{
    const struct {
        QLatin1String name;
        QString *place;
    } places[] = {{"workflow"_L1, &words.workflow},
                  {"step"_L1, &words.step},
                  {"reason"_L1, &words.reason},
                  {"event"_L1, &words.eventId},
                  {"key"_L1, &words.key},
                  {"run"_L1, &words.runId},
                  {"dependency"_L1, &words.dependency},
                  {"group"_L1, &words.group}};
    for (const auto &place : places) {
        if (name == place.name)
            return place.place;
    }
    return nullptr;
}

Result<void> take(const Token &token, Instant now, RunWords &words)
{
    if (token.name == "status"_L1) {
        const auto statuses = statusesOf(token);
        if (!statuses)
            return statuses.error();
        words.statuses = *statuses;
        words.statuses.removeDuplicates();
        return {};
    }
    if (token.name == "since"_L1 || token.name == "until"_L1) {
        const auto instant = instantOfToken(token, now);
        if (!instant)
            return instant.error();
        (token.name == "since"_L1 ? words.since : words.until) = *instant;
        return {};
    }
    *placeOf(words, token.name) = token.value;
    return {};
}
} // namespace

QStringList runStatusNames()
{
    QStringList names;
    for (const model::RunStatus status : model::allRunStatuses)
        names.append(model::runStatusName(status));
    return names;
}

Result<RunWords> parseRunFilter(const QString &text, Instant now)
{
    if (text.size() > filterMax)
        return model::invalid(u"the filter is longer than %1 characters"_s.arg(filterMax));
    const auto tokens = Tokens(text).read();
    if (!tokens)
        return tokens.error();
    RunWords words;
    QStringList seen;
    for (const Token &token : *tokens) {
        if (token.name.isEmpty()) {
            if (!token.value.isEmpty())
                words.ids.append(token.value);
            continue;
        }
        if (!knownWords().contains(token.name))
            return model::invalid(
                u"%1 is no word of the filter; known are %2 (an id that holds a colon goes in "
                "quotes)"_s.arg(token.name, knownWords().join(u", "_s)));
        if (token.value.isEmpty())
            return model::invalid(u"%1 needs a value"_s.arg(token.text));
        if (seen.contains(token.name))
            return model::invalid(
                u"%1 is there twice, and all words must hold; give it once"_s.arg(token.name));
        seen.append(token.name);
        if (const auto taken = take(token, now, words); !taken)
            return taken.error();
    }
    if (words.until != model::never && words.since >= words.until)
        return model::invalid(u"since is not before until, so no run can match"_s);
    return words;
}

} // namespace holdfast::control
