#include "ui/review/answers_box.h"

#include "ui/review/receipt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::review
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr int reasonMax = 1000;
constexpr int receiptMax = 20000;

// In the order they are shown.
constexpr std::pair<const char16_t *, QChar> letters[] = {
    {u"happened", u'Y'}, {u"absent", u'N'}, {u"verify", u'V'}, {u"approve", u'A'},
    {u"reject", u'D'},   {u"retry", u'R'},  {u"waive", u'W'},  {u"compensate", u'U'},
    {u"dismiss", u'X'},  {u"snooze", u'S'},
};

// Asking again and looking elsewhere decide nothing, so they need no reason.
bool needsReason(const QString &verdict)
{
    return verdict != "verify"_L1 && verdict != "compensate"_L1 && verdict != "snooze"_L1;
}

void setProblem(widgets::WrapLabel *label, const QString &text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}
} // namespace

QString answerKey(const QString &verdict)
{
    for (const auto &[name, letter] : letters) {
        if (verdict == QStringView(name))
            return QString(letter);
    }
    return {};
}

AnswersBox::AnswersBox(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"answers"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    buildRows();
    buildFields();
    m_receipt->hide();
    m_receiptLabel->hide();
}

// Every answer there is has its row from the start, so that the tab order never changes.
void AnswersBox::buildRows()
{
    auto *grid = new QGridLayout;
    grid->setColumnStretch(2, 1);
    grid->setHorizontalSpacing(fontMetrics().averageCharWidth() * 2);
    grid->setVerticalSpacing(fontMetrics().height() / 4);
    for (const auto &[verdict, letter] : letters) {
        const QString name = QString::fromUtf16(verdict);
        Row row;
        row.key = new widgets::TokenLabel(QString(letter), Token::muted);
        row.key->setObjectName(u"key_"_s + name);
        row.key->setAccessibleName(u"Key"_s);
        row.key->setAlignment(Qt::AlignCenter);
        row.button = new QPushButton;
        row.button->setObjectName(u"answer_"_s + name);
        row.button->setAutoDefault(false);
        row.button->installEventFilter(this);
        row.then = new widgets::WrapLabel(u"then_"_s + name, u"What Holdfast will do then"_s);
        const int at = grid->rowCount();
        grid->addWidget(row.key, at, 0);
        grid->addWidget(row.button, at, 1);
        grid->addWidget(row.then, at, 2);
        connect(row.button, &QPushButton::clicked, this, [this, name] { choose(name); });
        m_rows.insert(name, row);
        showRow(name, {});
    }
    static_cast<QVBoxLayout *>(layout())->addLayout(grid);
}

void AnswersBox::buildFields()
{
    auto *fields = new QGridLayout;
    fields->setColumnStretch(1, 1);
    m_receiptLabel = widgets::plainLabel(u"receiptLabel"_s, u"Receipt"_s);
    m_receiptLabel->setText(u"Receipt"_s);
    m_receipt = new QLineEdit;
    m_receipt->setObjectName(u"receipt"_s);
    m_receipt->setAccessibleName(u"Receipt: the id you found, or a JSON object"_s);
    m_receipt->setPlaceholderText(u"The id you found, such as pi_3Nx7, or a JSON object"_s);
    m_receipt->setMaxLength(receiptMax);
    m_receiptProblem =
        new widgets::WrapLabel(u"receiptProblem"_s, u"What is wrong with the receipt"_s);
    m_receiptProblem->setToken(Token::bad);
    auto *reasonLabel = widgets::plainLabel(u"reasonLabel"_s, u"Reason"_s);
    reasonLabel->setText(u"Reason"_s);
    m_reason = new QLineEdit;
    m_reason->setObjectName(u"reason"_s);
    m_reason->setAccessibleName(u"Reason, required"_s);
    m_reason->setPlaceholderText(u"Required; it goes into the audit"_s);
    m_reason->setMaxLength(reasonMax);
    m_problem = new widgets::WrapLabel(u"answerProblem"_s, u"What is missing"_s);
    m_problem->setToken(Token::bad);
    fields->addWidget(m_receiptLabel, 0, 0);
    fields->addWidget(m_receipt, 0, 1);
    fields->addWidget(m_receiptProblem, 1, 1);
    fields->addWidget(reasonLabel, 2, 0);
    fields->addWidget(m_reason, 2, 1);
    fields->addWidget(m_problem, 3, 1);
    static_cast<QVBoxLayout *>(layout())->addLayout(fields);
    setProblem(m_receiptProblem, {});
    setProblem(m_problem, {});
    for (QLineEdit *field : {m_receipt, m_reason}) {
        field->installEventFilter(this);
        connect(field, &QLineEdit::textEdited, this, &AnswersBox::draftChanged);
    }
    connect(m_receipt, &QLineEdit::textEdited, this, [this] { setProblem(m_receiptProblem, {}); });
    connect(m_reason, &QLineEdit::textEdited, this, [this] { setProblem(m_problem, {}); });
}

void AnswersBox::setAnswers(const QJsonArray &answers)
{
    if (answers == m_answers)
        return;
    m_answers = answers;
    m_chosen.clear();
    setProblem(m_problem, {});
    setProblem(m_receiptProblem, {});
    QMap<QString, QJsonObject> offered;
    for (const QJsonValue &answer : answers)
        offered.insert(answer["verdict"_L1].toString(), answer.toObject());
    const QStringList verdicts = m_rows.keys();
    for (const QString &verdict : verdicts)
        showRow(verdict, offered.value(verdict));
    m_receipt->setVisible(offered.contains(u"happened"_s));
    m_receiptLabel->setVisible(offered.contains(u"happened"_s));
    showChosen();
}

void AnswersBox::showRow(const QString &verdict, const QJsonObject &answer)
{
    const Row row = m_rows.value(verdict);
    const QString label = widgets::plainText(answer.value("label"_L1).toString(), 60);
    const QString why = widgets::plainText(answer.value("why"_L1).toString());
    const bool isAllowed = answer.value("allowed"_L1).toBool();
    row.button->setText(label);
    row.button->setAccessibleName(label);
    row.button->setEnabled(isAllowed);
    row.then->setToken(isAllowed ? Token::text : Token::muted);
    row.then->setText(isAllowed ? answer.value("then"_L1).toString() : u"Not now: "_s + why);
    row.button->setToolTip((why.isEmpty() ? row.then->text() : why).toHtmlEscaped());
    row.button->setAccessibleDescription(row.then->text());
    row.key->setVisible(!answer.isEmpty());
    row.button->setVisible(!answer.isEmpty());
    row.then->setVisible(!answer.isEmpty());
}

void AnswersBox::setDraft(const Draft &draft)
{
    m_receipt->setText(draft.receipt);
    m_reason->setText(draft.reason);
    m_chosen.clear();
    setProblem(m_receiptProblem, {});
    setProblem(m_problem, {});
    showChosen();
}

Draft AnswersBox::draft() const { return {m_receipt->text(), m_reason->text()}; }

bool AnswersBox::allows(const QString &verdict) const
{
    return offers(verdict) && m_rows.value(verdict).button->isEnabledTo(this);
}

bool AnswersBox::offers(const QString &verdict) const
{
    const QPushButton *button = m_rows.value(verdict).button;
    return button && !button->isHidden();
}

void AnswersBox::choose(const QString &verdict)
{
    if (!allows(verdict)) {
        for (const QJsonValue &answer : std::as_const(m_answers)) {
            if (answer["verdict"_L1] == verdict)
                say(u"%1 is not possible now: %2"_s.arg(answer["label"_L1].toString(),
                                                        answer["why"_L1].toString()));
        }
        return;
    }
    m_chosen = verdict;
    showChosen();
    Answer answer;
    answer.verdict = verdict;
    answer.label = m_rows.value(verdict).button->text();
    if (takeReceipt(answer) && takeReason(answer))
        Q_EMIT answered(answer);
}

bool AnswersBox::takeReceipt(Answer &answer)
{
    if (answer.verdict != "happened"_L1)
        return true;
    bool isNeeded = false;
    for (const QJsonValue &offered : std::as_const(m_answers))
        isNeeded = isNeeded || offered["needs_receipt"_L1].toBool();
    if (!isNeeded && m_receipt->text().trimmed().isEmpty())
        return true;
    const auto receipt = receiptFrom(m_receipt->text());
    setProblem(m_receiptProblem, receipt ? QString() : receipt.error().message);
    if (!receipt) {
        m_receipt->setFocus(Qt::OtherFocusReason);
        return false;
    }
    answer.receipt = *receipt;
    answer.hasReceipt = true;
    return true;
}

bool AnswersBox::takeReason(Answer &answer)
{
    answer.reason = m_reason->text().trimmed();
    if (!answer.reason.isEmpty() || !needsReason(answer.verdict))
        return true;
    say(u"Say why, then press Enter: %1."_s.arg(answer.label));
    m_reason->setFocus(Qt::OtherFocusReason);
    return false;
}

void AnswersBox::say(const QString &problem) { setProblem(m_problem, problem); }

void AnswersBox::showChosen()
{
    for (auto entry = m_rows.cbegin(); entry != m_rows.cend(); ++entry) {
        QFont font = this->font();
        font.setBold(entry.key() == m_chosen);
        entry.value().button->setFont(font);
    }
}

bool AnswersBox::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape) {
        Q_EMIT leaveWanted();
        return true;
    }
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return QWidget::eventFilter(watched, event);
    if (auto *button = qobject_cast<QPushButton *>(watched)) {
        button->click();
    } else if (m_chosen.isEmpty()) {
        say(u"Choose an answer: press its letter in the list, or its button."_s);
    } else {
        choose(m_chosen);
    }
    return true;
}

} // namespace holdfast::review
