#include "contract/key_rules.h"

#include "contract/expression_scan.h"

#include <QRegularExpression>
#include <QSet>

namespace holdfast::contract
{

namespace
{
bool isAny(const QString &word, std::initializer_list<const char *> words)
{
    for (const char *each : words) {
        if (word == QLatin1String(each))
            return true;
    }
    return false;
}

// A member called so says that its value is made anew each time.
bool soundsPassing(const QString &word)
{
    return isAny(word.toLower(),
                 {"now", "uuid", "timestamp", "random", "nonce", "current_time", "currenttime"});
}

class KeyRules
{
public:
    KeyRules(Report &report, const Workflow &workflow) : m_report(report)
    {
        for (const StepDefinition &step : workflow.steps) {
            if (step.kind == model::StepKind::llm)
                m_proposing.insert(step.step);
        }
        // Whatever takes a model's words into its receipt passes them on.
        for (const StepDefinition &step : workflow.steps) {
            if (mentionsProposal(step.forward.receipt))
                m_proposing.insert(step.step);
        }
    }

    void check(const StepDefinition &step, const TextTemplate &key)
    {
        if (key.isEmpty())
            return;
        m_step = step.step;
        m_place = key.place;
        m_hasBusinessId = false;
        for (const auto &part : key.parts) {
            if (part.isExpression)
                checkExpression(part.text);
        }
        if (!m_hasBusinessId)
            error("key_too_narrow",
                  QStringLiteral("holds nothing of the input or of earlier steps: every run would "
                                 "share it"));
    }

private:
    void error(const char *rule, const QString &why)
    {
        m_report.error(m_place, rule, QStringLiteral("the key of step '%1' %2").arg(m_step, why));
    }

    void checkExpression(const QString &expression)
    {
        static const QRegularExpression random(
            QStringLiteral("\\b(Date|performance|crypto)\\b|Math\\s*\\.\\s*random|Math\\s*\\[|"
                           "\\buuid\\w*\\s*\\("));
        const ExpressionScan scan = scanExpression(expression);
        bool isRandom = random.match(expression).hasMatch();
        for (const auto &use : scan.uses) {
            isRandom =
                isRandom || soundsPassing(use.path.last()) || soundsPassing(use.path.first());
            checkUse(use);
        }
        if (isRandom)
            error("key_random", QStringLiteral("uses time or chance: it must survive a rerun"));
    }

    void checkUse(const ExpressionScan::Use &use)
    {
        const QString &root = use.path.first();
        if (isAny(root, {"run"}))
            checkRun(use);
        else if (isAny(root, {"input"}))
            checkInput(use);
        else if (isAny(root, {"steps"}))
            checkStep(use);
        else if (isAny(root, {"attempt", "attempts"}))
            error("key_attempt", QStringLiteral("holds the number of the attempt"));
        else if (isAny(root, {"receipt", "before", "key"}))
            m_hasBusinessId = true;
    }

    void checkRun(const ExpressionScan::Use &use)
    {
        const QString member = use.path.value(1);
        if (isAny(member, {"attempt", "attempts"}))
            error("key_attempt", QStringLiteral("holds the number of the attempt"));
        else if (isAny(member, {"event_id"}))
            m_hasBusinessId = true;
        else if (isAny(member, {"run_id", "started_at", "created_at", "generation"}) ||
                 use.path.size() < 2)
            error("key_random",
                  QStringLiteral("holds what is new in every run: it must survive a rerun"));
    }

    void checkInput(const ExpressionScan::Use &use)
    {
        m_hasBusinessId = true;
        if (use.path.size() < 2)
            error("key_too_broad",
                  QStringLiteral("holds the whole input: a change that does not matter would make "
                                 "it another"));
        else if (isAny(use.path.last(), {"attempt", "attempts"}))
            error("key_attempt", QStringLiteral("holds the number of the attempt"));
    }

    void checkStep(const ExpressionScan::Use &use)
    {
        m_hasBusinessId = true;
        const QString step = use.path.value(1);
        if (m_proposing.contains(step)) {
            error("key_model_output",
                  QStringLiteral("is derived from what a model said in step '%1'").arg(step));
            return;
        }
        const QString last = use.path.last();
        if (use.path.size() < 4 || (use.path.size() == 4 && last == QLatin1String("body")))
            error("key_too_broad",
                  QStringLiteral("holds all that step '%1' left behind; name one field").arg(step));
    }

    bool mentionsProposal(const ValueTemplate &value) const
    {
        for (const auto &part : value.text.parts) {
            if (!part.isExpression)
                continue;
            const ExpressionScan scan = scanExpression(part.text);
            for (const auto &use : scan.uses) {
                if (use.path.first() == QLatin1String("steps") &&
                    m_proposing.contains(use.path.value(1)))
                    return true;
            }
        }
        for (const ValueTemplate &item : value.items) {
            if (mentionsProposal(item))
                return true;
        }
        for (const auto &member : value.members) {
            if (mentionsProposal(member.second))
                return true;
        }
        return false;
    }

    Report &m_report;
    QSet<QString> m_proposing;
    QString m_step;
    Place m_place;
    bool m_hasBusinessId = false;
};
} // namespace

void checkKeys(Report &report, const Workflow &workflow)
{
    KeyRules rules(report, workflow);
    for (const StepDefinition &step : workflow.steps) {
        rules.check(step, step.forward.key);
        if (step.undo)
            rules.check(step, step.undo->key);
    }
}

} // namespace holdfast::contract
