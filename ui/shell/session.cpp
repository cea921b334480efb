// What the window remembers from one session to the next: its size, the page, where each page was,
// and how wide its columns are.
#include "ui/shell/main_window.h"

#include <QHeaderView>
#include <QJsonDocument>
#include <QSettings>
#include <QTableView>

namespace holdfast::shell
{

using namespace Qt::StringLiterals;

namespace
{
constexpr int sessionVersion = 1; // an older layout is not read

QList<QTableView *> namedTables(const QWidget &window)
{
    QList<QTableView *> tables = window.findChildren<QTableView *>();
    tables.removeIf([](const QTableView *table) { return table->objectName().isEmpty(); });
    return tables;
}

QString columnsOf(const QTableView &table) { return u"session/columns/"_s + table.objectName(); }
} // namespace

void MainWindow::saveSession(QSettings &settings) const
{
    settings.setValue(u"session/version"_s, sessionVersion);
    settings.setValue(u"session/geometry"_s, saveGeometry());
    settings.setValue(u"session/page"_s, currentPage());
    for (const Page *page : m_pages) {
        settings.setValue(u"session/where/"_s + page->name(),
                          QJsonDocument(page->where()).toJson(QJsonDocument::Compact));
    }
    for (const QTableView *table : namedTables(*this))
        settings.setValue(columnsOf(*table), table->horizontalHeader()->saveState());
}

void MainWindow::restoreSession(QSettings &settings)
{
    if (settings.value(u"session/version"_s).toInt() != sessionVersion)
        return;
    restoreGeometry(settings.value(u"session/geometry"_s).toByteArray());
    for (Page *page : std::as_const(m_pages)) {
        const QByteArray where = settings.value(u"session/where/"_s + page->name()).toByteArray();
        page->open(QJsonDocument::fromJson(where).object());
    }
    for (QTableView *table : namedTables(*this)) {
        const QByteArray columns = settings.value(columnsOf(*table)).toByteArray();
        // A header of another shape, from another version, is refused by Qt itself.
        if (!columns.isEmpty())
            table->horizontalHeader()->restoreState(columns);
    }
    const QString name = settings.value(u"session/page"_s).toString();
    if (Page *page = m_pages.value(name))
        goTo(name, page->where());
}

void MainWindow::resetLayout()
{
    const int em = fontMetrics().horizontalAdvance(u'm');
    resize(em * 120, fontMetrics().height() * 48);
}

} // namespace holdfast::shell
