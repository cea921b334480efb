#include "ui/pause/audit_view.h"

#include "ui/pause/audit_export.h"
#include "ui/shell/permits.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

namespace holdfast::pause
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;

namespace
{
constexpr int pageSize = 200;
constexpr int typingMs = 300;

const QStringList &actionNames()
{
    static const QStringList names{
        u"approve"_s, u"breaker"_s, u"cancel"_s, u"claim"_s,  u"compensate"_s, u"deploy"_s,
        u"note"_s,    u"pause"_s,   u"ramp"_s,   u"reject"_s, u"rerun"_s,      u"resolve"_s,
        u"resume"_s,  u"retry"_s,   u"signal"_s, u"snooze"_s, u"start"_s};
    return names;
}
} // namespace

AuditView::AuditView(bridge::Bridge &bridge, QWidget *parent)
    : QWidget(parent), m_bridge(bridge), m_model(new AuditModel(this))
{
    m_verdict = new widgets::WrapLabel(u"verdict"_s, u"Result of the verification"_s);
    m_verdict->hide();
    m_empty = new widgets::WrapLabel(u"auditEmpty"_s, u"No rows"_s);
    m_empty->setToken(Token::muted);
    m_empty->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(buildFilters());
    column->addWidget(m_verdict);
    column->addWidget(m_empty);
    column->addWidget(buildTable(), 1);
    m_typing.setSingleShot(true);
    m_typing.setInterval(typingMs);
    connect(&m_typing, &QTimer::timeout, this, [this] {
        Q_EMIT filterChanged();
        ++m_asked;
        m_isAsking = false;
        m_model->setRows({});
        askPage(0);
    });
}

QLayout *AuditView::buildFilters()
{
    const auto field = [this](const QString &name, const QString &hint) {
        auto *made = new QLineEdit;
        made->setObjectName(name);
        made->setAccessibleName(hint);
        made->setPlaceholderText(hint);
        made->setClearButtonEnabled(true);
        made->setMaxLength(200);
        connect(made, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
        return made;
    };
    m_actor = field(u"auditActor"_s, u"Person"_s);
    m_run = field(u"auditRun"_s, u"Run id"_s);
    m_action = new QComboBox;
    m_action->setObjectName(u"auditAction"_s);
    m_action->setAccessibleName(u"Action"_s);
    m_action->addItem(u"Every action"_s, QString());
    for (const QString &name : actionNames())
        m_action->addItem(name, name);
    connect(m_action, &QComboBox::currentIndexChanged, &m_typing, qOverload<>(&QTimer::start));
    m_verify = new QPushButton(u"Verify chain"_s);
    m_verify->setObjectName(u"verifyChain"_s);
    shell::Permits::name(m_verify, u"audit_verify"_s);
    m_verify->setAccessibleName(u"Verify the chain of the audit"_s);
    m_export = new QPushButton(u"Export…"_s);
    m_export->setObjectName(u"exportAudit"_s);
    m_export->setAccessibleName(u"Export the audit"_s);
    auto *row = new QHBoxLayout;
    row->addWidget(widgets::heading(u"Audit"_s));
    row->addSpacing(fontMetrics().averageCharWidth() * 2);
    row->addWidget(m_actor, 2);
    row->addWidget(m_action, 1);
    row->addWidget(m_run, 3);
    row->addWidget(m_verify);
    row->addWidget(m_export);
    connect(m_verify, &QPushButton::clicked, this, &AuditView::verify);
    connect(m_export, &QPushButton::clicked, this, &AuditView::chooseExport);
    return row;
}

QWidget *AuditView::buildTable()
{
    m_table = new widgets::SteadyTable;
    m_table->setObjectName(u"audit"_s);
    m_table->setAccessibleName(u"Audit"_s);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    const int unit = fontMetrics().averageCharWidth();
    const int widths[] = {7, 16, 12, 13, 26, 20};
    for (int column = 0; column < AuditModel::columnTotal; ++column)
        m_table->setColumnWidth(column, widths[column] * unit);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_body = new widgets::CodeView(u"The whole row"_s);
    m_body->setObjectName(u"auditBody"_s);
    auto *splitter = new QSplitter;
    splitter->addWidget(m_table);
    splitter->addWidget(m_body);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({unit * 110, unit * 55});
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &AuditView::showCurrent);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        const QScrollBar *bar = m_table->verticalScrollBar();
        if (m_cursor > 0 && !m_isAsking && value >= bar->maximum() - bar->pageStep())
            askPage(m_cursor);
    });
    connect(m_table, &QAbstractItemView::doubleClicked, this, [this](const QModelIndex &index) {
        const QString chain = m_model->rows().at(index.row()).chain;
        if (chain != "system"_L1)
            Q_EMIT openRun(chain);
    });
    return splitter;
}

QWidget *AuditView::table() const { return m_table; }

QJsonObject AuditView::filter() const
{
    QJsonObject filter;
    const std::pair<QString, QString> parts[] = {{u"actor"_s, m_actor->text().trimmed()},
                                                 {u"action"_s, m_action->currentData().toString()},
                                                 {u"run"_s, m_run->text().trimmed()}};
    for (const auto &[name, text] : parts) {
        if (!text.isEmpty())
            filter.insert(name, text);
    }
    return filter;
}

void AuditView::setFilter(const QJsonObject &filter)
{
    m_actor->setText(filter.value("actor"_L1).toString());
    m_run->setText(filter.value("run"_L1).toString());
    m_action->setCurrentIndex(
        std::max(0, m_action->findData(filter.value("action"_L1).toString())));
}

void AuditView::refresh()
{
    if (m_isAsking)
        m_askAgain = true;
    else
        askPage(0);
}

void AuditView::askPage(qint64 before)
{
    QJsonObject arguments = filter();
    arguments.insert(u"limit"_s, pageSize);
    if (before > 0)
        arguments.insert(u"before"_s, before);
    m_isAsking = true;
    const int asked = ++m_asked;
    m_bridge.ask(u"audit"_s, arguments, this,
                 [this, asked, before](const Result<QJsonValue> &answer) {
                     if (asked != m_asked)
                         return;
                     m_isAsking = false;
                     if (answer)
                         take(*answer, before);
                     if (std::exchange(m_askAgain, false))
                         askPage(0);
                 });
}

// A first page that meets the rows already there is put before them, so that a person who scrolled
// down loses nothing; one that does not starts over.
void AuditView::take(const QJsonValue &answer, qint64 before)
{
    QVector<AuditLine> page;
    for (const QJsonValue &row : answer["audit"_L1].toArray())
        page.append(AuditLine::fromJson(row.toObject()));
    const qint64 cursor = answer["cursor"_L1].toInteger();
    if (before > 0) {
        m_model->append(page);
        m_cursor = cursor;
        return;
    }
    QVector<AuditLine> rows = page;
    const bool meets = !page.isEmpty() && m_model->rowOf(page.last().id) >= 0;
    if (meets)
        rows += m_model->rows().mid(m_model->rowOf(page.last().id) + 1);
    else
        m_cursor = cursor;
    m_table->changeInPlace([&] { m_model->setRows(rows); });
    m_empty->setVisible(rows.isEmpty());
    m_empty->setText(filter().isEmpty() ? u"Nobody has done anything yet."_s
                                        : u"No row matches the filter."_s);
}

void AuditView::showCurrent()
{
    const QModelIndex index = m_table->currentIndex();
    if (!index.isValid()) {
        m_body->setCode({});
        return;
    }
    const QJsonDocument whole(m_model->rows().at(index.row()).toJson());
    QStringList lines;
    for (const QString &line : QString::fromUtf8(whole.toJson()).trimmed().split(u'\n'))
        lines << widgets::plainText(line, 2000);
    m_body->setCode(lines.join(u'\n'));
}

void AuditView::verify()
{
    m_verify->setEnabled(false);
    m_verdict->setToken(Token::muted);
    m_verdict->setText(u"Reading every row…"_s);
    m_verdict->show();
    m_bridge.ask(u"audit_verify"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        m_verify->setEnabled(true);
        if (answer) {
            showVerdict(*answer);
            return;
        }
        m_verdict->setToken(Token::bad);
        m_verdict->setText(u"✖ Not verified: %1."_s.arg(answer.error().message));
    });
}

void AuditView::showVerdict(const QJsonValue &answer)
{
    const bool isWhole = answer["intact"_L1].toBool(answer["ok"_L1].toBool());
    const QJsonArray problems = answer["problems"_L1].toArray();
    m_verdict->setToken(isWhole ? Token::good : Token::bad);
    m_verdict->setText(
        isWhole
            ? u"✔ The chain is whole: %1 rows in %2 chains, checked %3."_s
                  .arg(answer["rows"_L1].toInteger())
                  .arg(answer["chains"_L1].toInteger())
                  .arg(widgets::shortTime(m_bridge.now()))
            : u"✖ The chain is broken. First bad row: %1. %2 in all; export it and keep a copy of "
              "the database before anything else."_s.arg(problems.first().toString())
                  .arg(problems.size()));
}

void AuditView::chooseExport()
{
    auto *dialog = new QFileDialog(this, u"Export the audit"_s, u"audit.jsonl"_s,
                                   u"JSON lines (*.jsonl);;CSV (*.csv)"_s);
    dialog->setObjectName(u"exportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    connect(dialog, &QFileDialog::fileSelected, this, &AuditView::exportTo);
    dialog->open();
}

void AuditView::exportTo(const QString &path)
{
    auto *task = new AuditExport(m_bridge, filter(), path, this);
    connect(task, &AuditExport::done, this, &AuditView::said);
    connect(task, &AuditExport::failed, this, [this](const QString &sentence) {
        m_verdict->setToken(Token::bad);
        m_verdict->setText(u"✖ "_s + sentence);
        m_verdict->show();
    });
    task->start();
}

} // namespace holdfast::pause
