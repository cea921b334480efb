#include "app/console/demo_panel.h"

#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/token_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGroupBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int refreshMs = 500;
constexpr int dozen = 10;
} // namespace

DemoPanel::DemoPanel(Demo &demo, QWidget *parent) : QDockWidget(u"Demo"_s, parent), m_demo(demo)
{
    setObjectName(u"demoPanel"_s);
    setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    auto *body = new QWidget(this);
    auto *column = new QVBoxLayout(body);
    auto *truth = new QGroupBox(u"What really happened"_s, body);
    auto *truths = new QVBoxLayout(truth);
    m_ours = widgets::plainLabel(u"demoOurs"_s, u"Effects through Holdfast"_s);
    m_blind = widgets::plainLabel(u"demoBlind"_s, u"Effects of blind retries"_s);
    for (QLabel *label : {m_ours, m_blind}) {
        label->setWordWrap(true);
        truths->addWidget(label);
    }
    auto *from = new widgets::TokenLabel(
        u"Counted in the sandbox's own books, since the demo began."_s, style::Token::muted);
    from->setObjectName(u"demoSource"_s);
    from->setAccessibleName(u"Where these figures come from"_s);
    from->setWordWrap(true);
    truths->addWidget(from);
    column->addWidget(truth);
    column->addWidget(buildFaults());
    column->addWidget(buildRuns());
    column->addStretch(1);
    // On a low screen there is less room than all of it needs, and a sentence cut in half is none.
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(body->minimumSizeHint().width());
    scroll->setWidget(body);
    setWidget(scroll);
    m_timer.setInterval(refreshMs);
    connect(&m_timer, &QTimer::timeout, this, &DemoPanel::refresh);
    m_timer.start();
    refresh();
}

QWidget *DemoPanel::buildFaults()
{
    auto *box = new QGroupBox(u"The outside"_s);
    auto *column = new QVBoxLayout(box);
    m_faults = widgets::plainLabel(u"demoFaults"_s, u"What the outside does"_s);
    m_faults->setWordWrap(true);
    m_faults->setMinimumHeight(fontMetrics().lineSpacing() * 5 / 2); // two lines, the longest hint
    auto *presets = new QComboBox(box);
    presets->setObjectName(u"demoPresets"_s);
    presets->setAccessibleName(u"How the outside behaves"_s);
    for (const Demo::Preset &preset : Demo::presets())
        presets->addItem(preset.title);
    connect(presets, &QComboBox::currentIndexChanged, this, [this](int index) {
        const Demo::Preset &preset = Demo::presets().at(index);
        m_demo.setFaults(preset.faults);
        m_faults->setText(preset.hint);
    });
    column->addWidget(presets);
    column->addWidget(m_faults);
    presets->setCurrentIndex(1); // a calm world would show nothing
    return box;
}

QWidget *DemoPanel::buildRuns()
{
    auto *box = new QGroupBox(u"Runs"_s);
    auto *column = new QVBoxLayout(box);
    auto *orders = new QPushButton(u"Start %1 orders"_s.arg(dozen), box);
    auto *invoices = new QPushButton(u"Start %1 invoices"_s.arg(dozen), box);
    auto *traffic = new QCheckBox(u"Start one now and then"_s, box);
    connect(orders, &QPushButton::clicked, this, [this] { m_demo.start(dozen, 0); });
    connect(invoices, &QPushButton::clicked, this, [this] { m_demo.start(0, dozen); });
    connect(traffic, &QCheckBox::toggled, this, [this](bool on) { m_demo.setTraffic(on); });
    traffic->setChecked(true);
    for (QWidget *widget : std::initializer_list<QWidget *>{orders, invoices, traffic}) {
        widget->setAccessibleName(widget->property("text").toString());
        column->addWidget(widget);
    }
    return box;
}

void DemoPanel::refresh()
{
    const Demo::Truth truth = m_demo.truth();
    m_ours->setText(
        u"✔ Holdfast: %1 effects, %2 duplicates"_s.arg(truth.effects).arg(truth.duplicates));
    m_blind->setText(
        u"▲ Blind retries, same faults: %1 effects, %2 duplicates"_s.arg(truth.blindEffects)
            .arg(truth.blindDuplicates));
    const auto good = style::colour(style::Token::good);
    const auto bad = style::colour(style::Token::bad);
    widgets::setTextColour(m_ours, truth.duplicates == 0 ? good : bad);
    widgets::setTextColour(m_blind, truth.blindDuplicates == 0 ? good : bad);
}

} // namespace holdfast::console
