#include "ui/settings/settings_page.h"

#include "ui/settings/connection_form.h"
#include "ui/settings/desktop_view.h"
#include "ui/settings/engine_view.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/columns.h"
#include "ui/widgets/empty_note.h"
#include "ui/widgets/json_table_model.h"
#include "ui/widgets/steady_table.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QTabWidget>

namespace holdfast::settings
{

using namespace Qt::StringLiterals;
using model::Result;
using style::Token;
using widgets::JsonColumn;

SettingsPage::SettingsPage(bridge::Bridge &bridge, Preferences &preferences)
    : Page(bridge, u"settings"_s, u"Settings"_s), m_preferences(preferences)
{
    build();
    showPreferences();
    const QString own =
        preferences.database().isEmpty() ? bridge.database() : preferences.database();
    m_connection->setAddress(DatabaseAddress::fromUrl(own), preferences.remembersPassword());
    setConnectionState(u"Connected to %1."_s.arg(bridge.database()));
    connect(m_connection, &ConnectionForm::connectWanted, this, &SettingsPage::connectWanted);
    connect(m_connection, &ConnectionForm::testWanted, this, &SettingsPage::testWanted);
    connect(m_theme, &QComboBox::activated, this,
            [this] { m_preferences.setTheme(m_theme->currentData().toString()); });
    connect(m_scale, &QComboBox::activated, this,
            [this] { m_preferences.setScale(m_scale->currentData().toInt()); });
    connect(m_letters, &QCheckBox::clicked, &m_preferences, &Preferences::setSingleLetterKeys);
    connect(&m_preferences, &Preferences::changed, this, &SettingsPage::showPreferences);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        Q_EMIT placeChanged();
        refresh();
    });
    connect(&bridge, &bridge::Bridge::stateChanged, this, &SettingsPage::showEngine);
    showEngine();
}

QWidget *SettingsPage::first() { return m_tabs; }

QJsonObject SettingsPage::where() const
{
    return {{u"tab"_s, m_names.value(m_tabs->currentIndex())}};
}

void SettingsPage::open(const QJsonObject &where)
{
    const int index = int(m_names.indexOf(where.value("tab"_L1).toString()));
    if (index >= 0)
        m_tabs->setCurrentIndex(index);
}

void SettingsPage::build()
{
    const int unit = fontMetrics().averageCharWidth();
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(u"settingsTabs"_s);
    m_tabs->setAccessibleName(u"Settings"_s);
    m_tabs->setDocumentMode(true);
    m_engine = new EngineView;
    addTab(u"connection"_s, u"Connection"_s, buildConnection());
    addTab(u"appearance"_s, u"Appearance"_s, buildAppearance());
    m_desktop = new DesktopView(m_preferences);
    addTab(u"desktop"_s, u"Desktop"_s, m_desktop);
    addTab(u"engine"_s, u"Engine"_s, m_engine);
    addTab(u"keys"_s, u"Keys"_s, buildKeys());
    addTab(u"about"_s, u"About"_s, buildAbout());
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"problem"_s);
    m_problem->setAccessibleName(u"What went wrong"_s);
    m_problem->setToken(Token::bad);
    m_problem->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 2);
    column->addWidget(m_problem);
    column->addWidget(m_tabs, 1);
}

void SettingsPage::addTab(const QString &name, const QString &title, QWidget *inside)
{
    const int unit = fontMetrics().averageCharWidth();
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(unit, unit * 2, unit, unit);
    column->addWidget(inside, 1);
    m_tabs->addTab(page, title);
    m_names << name;
}

QWidget *SettingsPage::buildConnection()
{
    m_connection = new ConnectionForm;
    m_connection->setMaximumWidth(fontMetrics().averageCharWidth() * 90);
    return m_connection;
}

QWidget *SettingsPage::buildAppearance()
{
    m_theme = new QComboBox;
    m_theme->setObjectName(u"theme"_s);
    m_theme->setAccessibleName(u"Theme"_s);
    m_theme->addItem(u"As the desktop"_s, u"system"_s);
    m_theme->addItem(u"Light"_s, u"light"_s);
    m_theme->addItem(u"Dark"_s, u"dark"_s);
    m_scale = new QComboBox;
    m_scale->setObjectName(u"scale"_s);
    m_scale->setAccessibleName(u"Scale"_s);
    for (const int percent : {100, 125, 150, 175, 200})
        m_scale->addItem(u"%1 %"_s.arg(percent), percent);
    m_letters = new QCheckBox(u"Single letters act in lists (J, K, X …)"_s);
    m_letters->setObjectName(u"letters"_s);
    m_letters->setAccessibleName(m_letters->text());
    auto *note = new widgets::TokenLabel(u"Scale counts from the next start."_s, Token::muted);
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form->addRow(new widgets::TokenLabel(u"Theme"_s, Token::muted), m_theme);
    form->addRow(new widgets::TokenLabel(u"Scale"_s, Token::muted), m_scale);
    form->addRow(QString(), note);
    form->addRow(new widgets::TokenLabel(u"Keys"_s, Token::muted), m_letters);
    return page;
}

QWidget *SettingsPage::buildKeys()
{
    const auto text = [](const QString &title, const QString &name) {
        return JsonColumn{title,
                          [name](const QJsonObject &row) { return row.value(name).toString(); }};
    };
    m_keys = new widgets::JsonTableModel(
        {text(u"Key"_s, u"key"_s), text(u"Does"_s, u"does"_s), text(u"Menu"_s, u"menu"_s)},
        [](const QJsonObject &row) {
            return row.value("menu"_L1).toString() + row.value("does"_L1).toString() +
                   row.value("key"_L1).toString();
        },
        this);
    auto *table = new widgets::SteadyTable;
    table->setObjectName(u"keys"_s);
    table->setAccessibleName(u"Keys and what they do"_s);
    table->setModel(m_keys);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setSortingEnabled(true);
    table->sortByColumn(2, Qt::AscendingOrder);
    widgets::setColumnWidths(*table, {22, 0, 20});
    new widgets::EmptyNote(table, u"No keys are set."_s);
    return table;
}

QWidget *SettingsPage::buildAbout()
{
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    auto *name = new widgets::TokenLabel(u"Holdfast %1"_s.arg(QLatin1String(HOLDFAST_VERSION)));
    name->setObjectName(u"version"_s);
    name->setSize(1.6, true);
    column->addWidget(name);
    const QStringList lines{
        u"Retries, idempotency and compensation for the people who run automations."_s,
        u"Licence: GPL-3.0-or-later. You may use, change and pass it on under its terms; there is "
        "no warranty."_s,
        u"Built on Qt %1, SQLite, PostgreSQL, libcurl, yaml-cpp and QtKeychain."_s.arg(
            QString::fromLatin1(qVersion()))};
    for (const QString &line : lines) {
        auto *label = new widgets::WrapLabel;
        label->setText(line);
        column->addWidget(label);
    }
    column->addStretch();
    return page;
}

void SettingsPage::showPreferences()
{
    m_theme->setCurrentIndex(m_theme->findData(m_preferences.theme()));
    const int scale = m_scale->findData(m_preferences.scale());
    m_scale->setCurrentIndex(std::max(0, scale));
    m_letters->setChecked(m_preferences.singleLetterKeys());
}

void SettingsPage::setKeychain(bool isThere, const QString &why)
{
    m_connection->setKeychain(isThere, why);
}

void SettingsPage::setConnectionState(const QString &sentence, bool isBad)
{
    m_connection->setState(sentence, isBad);
}

void SettingsPage::setConnecting(bool busy) { m_connection->setBusy(busy); }

void SettingsPage::setShortcuts(const QVector<QAction *> &actions)
{
    QJsonArray rows;
    for (const QAction *action : actions) {
        for (const QKeySequence &key : action->shortcuts()) {
            QString does = action->text();
            does.remove(u'&');
            rows.append(QJsonObject{{u"key"_s, key.toString(QKeySequence::NativeText)},
                                    {u"does"_s, does},
                                    {u"menu"_s, action->property("menu").toString()}});
        }
    }
    m_keys->setRows(rows);
}

void SettingsPage::refresh()
{
    if (where().value("tab"_L1).toString() != "engine"_L1)
        return; // nothing else comes from the database
    m_isWanted = true;
    if (!m_isAsking)
        askEngine();
}

void SettingsPage::askEngine()
{
    m_isWanted = false;
    m_isAsking = true;
    bridge().ask(u"workers"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        if (answer)
            m_engine->setWorkers((*answer)["workers"_L1].toArray());
    });
    bridge().ask(u"doctor"_s, {}, this, [this](const Result<QJsonValue> &answer) {
        m_isAsking = false;
        m_problem->setText(answer ? QString() : u"▲ "_s + answer.error().message);
        m_problem->setVisible(!answer);
        if (answer)
            m_engine->setReport(answer->toObject());
        if (m_isWanted)
            askEngine();
    });
}

void SettingsPage::showEngine()
{
    const bridge::EngineState &engine = bridge().engine();
    m_engine->setEngine(engine.message.isEmpty()
                            ? u"Engine of this console: %1."_s.arg(engine.word)
                            : u"Engine of this console: %1. %2"_s.arg(engine.word, engine.message));
}

} // namespace holdfast::settings
