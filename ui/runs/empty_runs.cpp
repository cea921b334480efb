#include "ui/runs/empty_runs.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/token_label.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
constexpr qsizetype termMax = 60;

QString offerText(const QString &term)
{
    return u"Without %1"_s.arg(widgets::plainText(term, termMax));
}
} // namespace

EmptyRuns::EmptyRuns(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"emptyRuns"_s);
    m_headline = new widgets::TokenLabel({}, Token::text);
    m_headline->setObjectName(u"emptyHeadline"_s);
    m_headline->setSize(1.3, true);
    m_headline->setAlignment(Qt::AlignHCenter);
    m_text = new widgets::TokenLabel({}, Token::muted);
    m_text->setObjectName(u"emptyText"_s);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(fontMetrics().height() / 2);
    column->addStretch(2);
    column->addWidget(m_headline);
    column->addWidget(m_text);
    buildStart(column);
    m_offers = new QWidget(this);
    m_offerColumn = new QVBoxLayout(m_offers);
    column->addWidget(m_offers, 0, Qt::AlignHCenter);
    column->addStretch(3);
    showReading(false);
}

void EmptyRuns::buildStart(QVBoxLayout *column)
{
    m_start = new QWidget(this);
    auto *row = new QHBoxLayout(m_start);
    m_command = new QLineEdit(u"holdfastctl start WORKFLOW --input '{\"order_id\": \"1001\"}'"_s);
    m_command->setObjectName(u"startCommand"_s);
    m_command->setAccessibleName(u"Command that starts a run"_s);
    m_command->setReadOnly(true);
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setMinimumWidth(m_command->fontMetrics().horizontalAdvance(m_command->text()) +
                               m_command->fontMetrics().averageCharWidth() * 4);
    auto *copy = new QPushButton(u"Copy"_s);
    copy->setObjectName(u"copyStart"_s);
    copy->setAccessibleName(u"Copy the command"_s);
    row->addWidget(m_command);
    row->addWidget(copy);
    column->addWidget(m_start, 0, Qt::AlignHCenter);
    connect(copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(m_command->text());
        Q_EMIT copied(u"The command is in the clipboard."_s);
    });
}

void EmptyRuns::showReading(bool isAway)
{
    m_headline->setText(isAway ? u"The database is away."_s : u"Reading the runs…"_s);
    m_text->setText(isAway ? u"Runs appear here when it answers; nothing needs to be done here."_s
                           : QString());
    m_start->hide();
    setTerms({});
}

void EmptyRuns::showSearching()
{
    m_headline->setText(u"Searching…"_s);
    m_text->setText(u"Nothing newer matches; older runs are being looked at."_s);
    m_start->hide();
    setTerms({});
}

void EmptyRuns::showNone()
{
    m_headline->setText(u"No runs yet."_s);
    m_text->setText(
        u"A run starts when an event comes in over HTTP or a webhook, or by hand from a "
        "terminal:"_s);
    m_start->show();
    setTerms({});
}

void EmptyRuns::showNoMatch(const QStringList &terms)
{
    m_headline->setText(u"No run matches."_s);
    m_text->setText(terms.size() == 1 ? u"Take the term away to see all runs:"_s
                                      : u"Take one of the terms away:"_s);
    m_start->hide();
    setTerms(terms);
}

void EmptyRuns::setTerms(const QStringList &terms)
{
    m_offers->setVisible(!terms.isEmpty());
    if (terms == m_terms)
        return;
    m_terms = terms;
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (const QString &term : terms) {
        auto *button = new QPushButton(offerText(term).replace(u'&', u"&&"_s));
        button->setObjectName(u"offer"_s);
        button->setAccessibleName(offerText(term));
        connect(
            button, &QPushButton::clicked, this, [this, term] { Q_EMIT removeWanted(term); },
            Qt::QueuedConnection); // the answer may take this button away
        button->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
        m_offerColumn->addWidget(button);
        m_buttons << button;
    }
}

void EmptyRuns::setCountWithout(const QString &term, const QString &count)
{
    const qsizetype at = m_terms.indexOf(term);
    if (at < 0)
        return;
    const QString text = u"%1: %2"_s.arg(offerText(term), count);
    m_buttons.at(at)->setText(QString(text).replace(u'&', u"&&"_s));
    m_buttons.at(at)->setAccessibleName(text);
}

} // namespace holdfast::runs
