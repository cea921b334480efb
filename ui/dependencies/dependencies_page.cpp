#include "ui/dependencies/dependencies_page.h"

#include "ui/dependencies/breaker_look.h"
#include "ui/dependencies/failure_map.h"
#include "ui/widgets/act_dialog.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>

namespace holdfast::dependencies
{

using namespace Qt::StringLiterals;
using model::Result;

namespace
{
constexpr int readAgainMs = 1000;
constexpr model::Millis forcedFor = model::hour;

QString nameOf(const QJsonObject &row) { return row.value("dependency"_L1).toString(); }
} // namespace

DependenciesPage::DependenciesPage(bridge::Bridge &bridge)
    : Page(bridge, u"dependencies"_s, u"Dependencies"_s)
{
    build();
    connectAll();
    m_again.setSingleShot(true);
    m_again.setInterval(readAgainMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_isWanted)
            askList();
    });
    m_clock.setInterval(int(model::second));
    connect(&m_clock, &QTimer::timeout, this, &DependenciesPage::showClock);
}

QWidget *DependenciesPage::first() { return m_table; }

void DependenciesPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    m_clock.start();
}

void DependenciesPage::hideEvent(QHideEvent *event)
{
    Page::hideEvent(event);
    m_clock.stop();
}

QJsonObject DependenciesPage::where() const
{
    return m_dependency.isEmpty() ? QJsonObject() : QJsonObject{{u"dependency"_s, m_dependency}};
}

void DependenciesPage::open(const QJsonObject &where)
{
    if (!where.contains("dependency"_L1))
        return;
    m_goTo = where["line"_L1].toInt();
    choose(where.value("dependency"_L1).toString());
}

void DependenciesPage::refresh()
{
    m_isWanted = true;
    if (m_outstanding == 0 && !m_again.isActive())
        askList();
}

void DependenciesPage::askList()
{
    m_isWanted = false;
    m_outstanding = 2;
    bridge().ask(u"dependencies"_s, {{u"source"_s, true}}, this,
                 [this](const Result<QJsonValue> &answer) {
                     showProblem(answer ? QString() : answer.error().message);
                     if (answer) {
                         m_list = (*answer)["dependencies"_L1].toArray();
                         m_builtIn = (*answer)["built_in"_L1].toArray();
                     }
                     answered();
                 });
    const model::Instant now = bridge().now();
    const QJsonObject span{{u"since"_s, model::instantText(now - model::day)},
                           {u"until"_s, model::instantText(now)}};
    bridge().ask(u"rates"_s, span, this, [this](const Result<QJsonValue> &answer) {
        if (answer)
            m_rates = (*answer)["dependencies"_L1].toArray();
        answered();
    });
}

void DependenciesPage::answered()
{
    if (--m_outstanding > 0)
        return;
    QJsonObject counts;
    for (const QJsonValue &rate : std::as_const(m_rates))
        counts.insert(nameOf(rate.toObject()), rate);
    QJsonArray rows;
    for (const QJsonValue &value : std::as_const(m_list)) {
        QJsonObject row = value.toObject();
        row.insert(u"counts"_s, counts.value(nameOf(row)));
        rows.append(row);
    }
    m_table->changeInPlace([&] { m_model->setRows(rows); });
    if (m_dependency.isEmpty() && m_model->rowCount() > 0)
        choose(nameOf(m_model->row(0)));
    else if (m_model->indexOf(m_dependency) >= 0 && !m_table->currentIndex().isValid())
        m_table->selectRow(m_model->indexOf(m_dependency));
    showDetail();
    m_again.start();
}

void DependenciesPage::choose(const QString &dependency)
{
    if (dependency != m_dependency) {
        m_dependency = dependency;
        Q_EMIT placeChanged();
    }
    const int row = m_model->indexOf(dependency);
    if (row >= 0 && m_table->currentIndex().row() != row)
        m_table->selectRow(row);
    showDetail();
}

QJsonObject DependenciesPage::chosen() const
{
    const int row = m_model->indexOf(m_dependency);
    return row < 0 ? QJsonObject() : m_model->row(row);
}

void DependenciesPage::showDetail()
{
    const QJsonObject row = chosen();
    m_stack->setCurrentIndex(row.isEmpty() ? 0 : 1);
    if (row.isEmpty())
        return;
    m_name->setWhole(nameOf(row));
    QStringList about;
    if (const QString url = row.value("url"_L1).toString(); !url.isEmpty())
        about << url;
    about << u"protection "_s + row.value("protection"_L1).toString();
    if (const qint64 kept = row.value("retention_ms"_L1).toInteger(); kept > 0)
        about << u"remembers keys for "_s + widgets::durationText(kept);
    about << u"revision %1, deployed %2 by %3"_s.arg(row.value("revision"_L1).toInt())
                 .arg(widgets::shortTime(widgets::instantOf(row.value("deployed_at"_L1))),
                      row.value("deployed_by"_L1).toString());
    m_about->setWhole(about.join(u" · "_s));
    m_map->setRules(row.value("classify"_L1).toArray(), m_builtIn);
    m_source->setCode(row.value("source"_L1).toString());
    if (const int line = std::exchange(m_goTo, 0); line > 0) {
        m_tabs->setCurrentWidget(m_source);
        m_source->goToLine(line);
    }
    const QString state = breakerState(row);
    m_close->setEnabled(state != "closed"_L1);
    m_trial->setEnabled(state == "open"_L1);
    showClock();
}

void DependenciesPage::showClock()
{
    m_table->viewport()->update();
    const QJsonObject row = chosen();
    if (row.isEmpty())
        return;
    const BreakerLook look = breakerLook(row, bridge().now());
    m_breaker->setText(look.text);
    m_breaker->setToken(look.token);
    const QJsonObject breaker = row.value("breaker"_L1).toObject();
    const int failures = breaker.value("failures"_L1).toInt();
    QString why = breaker.value("reason"_L1).toString();
    if (breakerState(row) == "closed"_L1)
        why = failures > 0 ? u"%1 failures within its window."_s.arg(failures)
              : hasCalls(row)
                  ? u"No failures within its window."_s
                  : u"Nothing was sent to it in the last 24 hours: its health is unknown."_s;
    m_why->setText(why);
}

void DependenciesPage::showProblem(const QString &problem)
{
    m_problem->setText(problem.isEmpty() ? QString() : u"▲ "_s + problem);
    m_problem->setVisible(!problem.isEmpty());
}

void DependenciesPage::forceOpen()
{
    widgets::ActText text;
    text.title = u"Force open"_s;
    text.effect = u"Nothing is sent to %1 for %2, by any worker."_s.arg(
        m_dependency, widgets::durationText(forcedFor));
    text.safe = u"Runs wait and lose nothing; what is on the wire is waited for. After that time "
                "one call is let through as a trial. For longer, pause the dependency."_s;
    text.button = u"Force the breaker open"_s;
    overrule(text, {{u"state"_s, u"open"_s}, {u"for_ms"_s, forcedFor}});
}

void DependenciesPage::closeBreaker()
{
    widgets::ActText text;
    text.title = u"Close"_s;
    text.effect = u"Calls to %1 go out again at once."_s.arg(m_dependency);
    text.safe =
        u"Runs that wait for it already look again when their time comes, or when you retry "
        "them. If it still fails, the breaker opens again by itself."_s;
    text.button = u"Close the breaker"_s;
    overrule(text, {{u"state"_s, u"closed"_s}});
}

// An open breaker whose time is up lets exactly one call through: that is a trial.
void DependenciesPage::allowTrial()
{
    widgets::ActText text;
    text.title = u"Allow one trial"_s;
    text.effect = u"The next call to %1 is let through alone."_s.arg(m_dependency);
    text.safe = u"If it succeeds the breaker closes; if it fails it stays open. Everything else "
                "waits for it."_s;
    text.button = u"Allow one trial"_s;
    overrule(text, {{u"state"_s, u"open"_s}, {u"for_ms"_s, 1}});
}

void DependenciesPage::overrule(const widgets::ActText &text, const QJsonObject &arguments)
{
    if (chosen().isEmpty())
        return;
    auto *dialog = new widgets::ActDialog(text, this);
    connect(dialog, &widgets::ActDialog::confirmed, this,
            [this, dialog, arguments, name = m_dependency](const QString &reason) {
                dialog->setBusy(true);
                QJsonObject act = arguments;
                act.insert(u"dependency"_s, name);
                act.insert(u"reason"_s, reason);
                bridge().act(u"breaker"_s, act, this,
                             [this, name, open = QPointer(dialog)](const auto &answer) {
                                 sent(open, name, answer);
                             });
            });
    dialog->open();
}

void DependenciesPage::sent(widgets::ActDialog *dialog, const QString &dependency,
                            const Result<QJsonValue> &answer)
{
    if (!answer) {
        if (dialog)
            dialog->showProblem(answer.error().message);
        else
            showProblem(answer.error().message);
        return;
    }
    if (dialog)
        dialog->accept();
    Q_EMIT said(
        u"The breaker of %1 is now %2."_s.arg(dependency, (*answer)["state"_L1].toString()));
    refresh();
}

} // namespace holdfast::dependencies
