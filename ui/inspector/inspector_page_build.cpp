// How the inspector is put together: its parts, its actions and the keys they have.
#include "ui/inspector/attempts_model.h"
#include "ui/inspector/detail_tabs.h"
#include "ui/inspector/inspector_page.h"
#include "ui/inspector/notes_panel.h"
#include "ui/inspector/record_columns.h"
#include "ui/inspector/run_head.h"
#include "ui/inspector/timeline.h"
#include "ui/widgets/roomy.h"
#include "ui/widgets/wrap_label.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace holdfast::inspector
{

using namespace Qt::StringLiterals;

void InspectorPage::buildLayout()
{
    m_head = new RunHead;
    m_problem = new widgets::WrapLabel;
    m_problem->setObjectName(u"inspectorProblem"_s);
    m_problem->setToken(style::Token::bad);
    m_problem->hide();
    m_timeline = new Timeline;
    m_table = recordTable(u"attemptTable"_s, u"Attempts"_s, m_model, {15, 16, 28, 9, 11});
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(AttemptsModel::outcome, QHeaderView::Stretch);
    m_details = new DetailTabs;
    buildActions();

    auto *below = new QSplitter(Qt::Horizontal);
    below->setObjectName(u"inspectorBelow"_s);
    below->setChildrenCollapsible(false);
    below->addWidget(m_table);
    below->addWidget(m_details);
    below->setStretchFactor(0, 2);
    below->setStretchFactor(1, 3);
    const int em = fontMetrics().averageCharWidth();
    below->setSizes({em * 90, em * 100});
    m_split = new QSplitter(Qt::Vertical);
    m_split->setObjectName(u"inspectorSplit"_s);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_timeline);
    m_split->addWidget(below);
    m_split->setStretchFactor(0, 0);
    m_split->setStretchFactor(1, 1);
    m_body = new QWidget;
    auto *inner = new QVBoxLayout(m_body);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->addWidget(buildActRow());
    inner->addWidget(m_split, 1);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_head);
    column->addWidget(m_problem);
    column->addWidget(m_body, 1);
    column->addStretch(0);
}

// Letters and Delete act only while the timeline or the table of attempts has the focus.
QAction *InspectorPage::listAction(const QString &name, const QString &text,
                                   const QKeySequence &key)
{
    QAction *action = addPageAction(u"Run"_s, text, key);
    action->setObjectName(name);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_timeline->addAction(action);
    m_table->addAction(action);
    return action;
}

void InspectorPage::buildActions()
{
    const struct {
        const char16_t *name;
        const char16_t *text;
        QKeySequence key;
    } acts[] = {{u"retry", u"&Retry…", u"Ctrl+R"_s},
                {u"cancel", u"&Cancel…", Qt::Key_Delete},
                {u"compensate", u"Co&mpensate…", Qt::Key_U},
                {u"rerun", u"Run a&gain…", Qt::Key_N},
                {u"verify", u"&Verify…", Qt::Key_V}};
    for (const auto &entry : acts) {
        const QString name = QString::fromUtf16(entry.name);
        QAction *action = listAction(name, QString::fromUtf16(entry.text), entry.key);
        connect(action, &QAction::triggered, this, [this, name] {
            if (name == "compensate"_L1)
                compensate();
            else
                act(name);
        });
        m_acts << action;
    }
    const auto add = [this](const QString &name, const QString &text, const QKeySequence &key,
                            const std::function<void()> &does) {
        QAction *action = addPageAction(u"Run"_s, text, key);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, does);
        m_copies << action;
    };
    add(u"copyId"_s, u"Copy run &id"_s, {}, [this] { copy(m_story.runId, u"The run id is"_s); });
    add(u"copyJson"_s, u"Copy as &JSON"_s, {}, [this] {
        copy(QString::fromUtf8(QJsonDocument(m_story.whole).toJson()), u"The JSON is"_s);
    });
    add(u"copyCurl"_s, u"Copy as c&url"_s, u"Ctrl+Shift+U"_s,
        [this] { copy(m_details->curl(), u"The command is"_s); });
    add(u"copyLink"_s, u"Copy &link"_s, u"Ctrl+Shift+C"_s,
        [this] { copy(m_story.link(), u"The link is"_s); });
    add(u"writeNote"_s, u"Write a &note"_s, u"Ctrl+Shift+N"_s, [this] {
        m_details->setCurrentIndex(DetailTabs::notesTab);
        m_details->notesPanel()->focusEdit();
    });
}

QPushButton *InspectorPage::buttonOf(QAction *action)
{
    QString text = action->text();
    auto *button = new QPushButton;
    widgets::setRoomyText(button, text);
    button->setObjectName(action->objectName() + u"Button"_s);
    button->setAccessibleName(text.remove(u'&'));
    button->setAutoDefault(false);
    const auto follow = [button, action] {
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
    return button;
}

QWidget *InspectorPage::buildActRow()
{
    auto *widget = new QWidget;
    auto *row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    for (QAction *action : std::as_const(m_acts))
        row->addWidget(buttonOf(action));
    row->addStretch(1);
    m_copy = new QPushButton;
    m_copy->setObjectName(u"copyMenu"_s);
    m_copy->setAccessibleName(u"Copy the run as…"_s);
    m_copy->setText(u"Cop&y"_s);
    m_copy->setAutoDefault(false);
    auto *menu = new QMenu(m_copy);
    for (QAction *action : std::as_const(m_copies)) {
        if (action->objectName() != "writeNote"_L1)
            menu->addAction(action);
    }
    m_copy->setMenu(menu);
    row->addWidget(m_copy);
    return widget;
}

void InspectorPage::connectParts()
{
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });
    connect(m_timeline, &Timeline::chosen, this, &InspectorPage::choose);
    connect(m_timeline, &Timeline::opened, this, [this] {
        m_details->setCurrentIndex(DetailTabs::attemptTab);
        m_details->currentWidget()->setFocus();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { choose(current.row()); });
    connect(m_head, &RunHead::reviewWanted, this, [this](const QString &review) {
        Q_EMIT goTo(u"review"_s, {{u"review"_s, review}});
    });
    connect(m_details, &DetailTabs::curlWanted, this,
            [this] { copy(m_details->curl(), u"The command is"_s); });
    connect(m_details, &DetailTabs::copyWanted, this, &InspectorPage::copy);
    connect(m_details, &DetailTabs::ledgerWanted, this, [this](const QString &key) {
        Q_EMIT goTo(u"ledger"_s, {{u"key"_s, key}});
    });
    connect(m_details->notesPanel(), &NotesPanel::addWanted, this, &InspectorPage::addNote);
}

} // namespace holdfast::inspector
