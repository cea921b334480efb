#include "ui/runs/filter_bar.h"

#include "ui/runs/chip.h"
#include "ui/runs/filter_edit.h"
#include "ui/runs/filter_terms.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/wrap_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace holdfast::runs
{

using namespace Qt::StringLiterals;

FilterBar::FilterBar(QWidget *parent) : QWidget(parent)
{
    m_edit = new FilterEdit(this);
    m_line = new QHBoxLayout;
    m_line->addWidget(m_edit, 1);
    m_problem = new widgets::WrapLabel(this);
    m_problem->setObjectName(u"filterProblem"_s);
    m_problem->setToken(style::Token::bad);
    m_problem->hide();
    m_chipRow = new QWidget(this);
    m_chips = new widgets::FlowLayout(fontMetrics().averageCharWidth(), m_chipRow);
    m_chipRow->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(m_line);
    column->addWidget(m_problem);
    column->addWidget(m_chipRow);
    connect(m_edit, &FilterEdit::entered, this, &FilterBar::enter);
    connect(m_edit, &FilterEdit::backWanted, this, &FilterBar::takeBack);
    connect(m_edit, &FilterEdit::leaveWanted, this, &FilterBar::leaveWanted);
    connect(m_edit, &QLineEdit::textEdited, this, [this] { m_problem->hide(); });
}

void FilterBar::addWidget(QWidget *widget) { m_line->addWidget(widget); }

void FilterBar::setWords(const QJsonObject &words) { m_edit->setWords(words); }

void FilterBar::focusEdit()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::enter()
{
    const QStringList typed = termsOf(m_edit->text());
    if (typed.isEmpty())
        Q_EMIT leaveWanted();
    else
        Q_EMIT wanted(filterOf(withTerms(m_terms, typed)));
}

// The last chip becomes text again, to be changed.
void FilterBar::takeBack()
{
    if (m_terms.isEmpty())
        return;
    m_edit->setText(m_terms.last());
    Q_EMIT wanted(filterOf(m_terms.mid(0, m_terms.size() - 1)));
}

void FilterBar::setTerms(const QStringList &terms)
{
    m_problem->hide();
    const QStringList typed = termsOf(m_edit->text());
    const bool isTaken = std::all_of(typed.begin(), typed.end(),
                                     [&](const auto &term) { return terms.contains(term); });
    if (isTaken)
        m_edit->clear();
    if (terms == m_terms)
        return;
    m_terms = terms;
    showChips();
}

void FilterBar::refuse(const QString &filter, const QString &why)
{
    QStringList added = termsOf(filter);
    added.removeIf([this](const QString &term) { return m_terms.contains(term); });
    if (m_edit->text().isEmpty())
        m_edit->setText(filterOf(added));
    m_problem->setText(u"▲ "_s + why);
    m_problem->show();
}

void FilterBar::remove(const QString &term)
{
    QStringList rest = m_terms;
    rest.removeOne(term);
    Q_EMIT wanted(filterOf(rest));
}

void FilterBar::showChips()
{
    while (QLayoutItem *item = m_chips->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString &term : std::as_const(m_terms)) {
        auto *chip = new Chip(term, m_chipRow);
        connect(chip, &Chip::clicked, this, [this, term] {
            m_edit->setFocus(); // the chip is about to go
            remove(term);
        });
        m_chips->addWidget(chip);
        chip->show();
    }
    if (m_terms.size() > 1) {
        auto *all = new QPushButton(u"Remove all"_s, m_chipRow);
        all->setObjectName(u"removeAll"_s);
        all->setAccessibleName(u"Remove all terms of the filter"_s);
        all->setFlat(true);
        connect(all, &QPushButton::clicked, this, [this] {
            m_edit->setFocus();
            Q_EMIT wanted({});
        });
        m_chips->addWidget(all);
        all->show();
    }
    m_chipRow->setVisible(!m_terms.isEmpty());
    m_chipRow->updateGeometry();
}

} // namespace holdfast::runs
