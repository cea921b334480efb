// Pictures of the inspector and of a compensation in both themes, into the folder that
// HOLDFAST_SHOTS names, to be looked at by a person.
#include "inspector_window.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;
using namespace holdfast;
using namespace holdfast::inspector;
using tests::InspectorWindow;

class InspectorPicturesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void pictures();
};

void InspectorPicturesTest::pictures()
{
    const QString folder = qEnvironmentVariable("HOLDFAST_SHOTS");
    if (folder.isEmpty())
        QSKIP("HOLDFAST_SHOTS is not set");
    for (const auto theme : {style::Theme::light, style::Theme::dark}) {
        style::applyTheme(*qApp, theme);
        const QString suffix = theme == style::Theme::light ? u"-light.png"_s : u"-dark.png"_s;
        const auto save = [&](QWidget &widget, const QString &name) {
            QCoreApplication::processEvents(); // layouts settle
            QVERIFY(widget.grab().save(QDir(folder).filePath(name + suffix)));
        };
        InspectorWindow window(tests::ambiguousRun());
        QVERIFY(window.open());
        Timeline *timeline = window.page.timeline();
        QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, timeline->barOf(3).center());
        save(window.page, u"run"_s);
        const QStringList names{u"attempt"_s, u"request"_s, u"response"_s, u"contract"_s,
                                u"ledger"_s,  u"journal"_s, u"notes"_s};
        for (int tab = 1; tab < names.size(); ++tab) {
            window.page.details()->setCurrentIndex(tab);
            save(window.page, u"run-"_s + names.at(tab));
        }
        QJsonObject show = tests::compensatedRun();
        InspectorWindow other(show);
        QVERIFY(other.open());
        save(other.page, u"run-compensated"_s);
        show.insert(u"actions"_s, QJsonObject{{u"compensate"_s, QJsonObject{{u"allowed"_s, true},
                                                                            {u"why"_s, u""_s}}}});
        InspectorWindow third(show);
        third.door.setAnswer(u"compensate"_s, tests::compensationPlan());
        QVERIFY(third.open());
        third.page.timeline()->setFocus();
        QTest::keyClick(third.page.timeline(), Qt::Key_U);
        QDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = third.find<QDialog>(u"compensateDialog"_s)));
        auto *table = dialog->findChild<QAbstractItemView *>(u"planTable"_s);
        QTRY_COMPARE(table->model()->rowCount(), 4);
        table->setCurrentIndex(table->model()->index(1, 0));
        QTest::keyClicks(dialog->findChild<QLineEdit *>(u"planReason"_s),
                         u"Customer returned it"_s);
        save(*dialog, u"run-plan"_s);
        third.door.setAnswer(u"compensate"_s,
                             {{u"command"_s, u"c9"_s}, {u"state"_s, u"recorded"_s}});
        third.door.setAnswer(u"command"_s, {{u"command"_s, u"c9"_s}, {u"state"_s, u"applied"_s}});
        QTest::mouseClick(dialog->findChild<QPushButton *>(u"planAct"_s), Qt::LeftButton);
        show.insert(u"seq"_s, 20);
        third.door.setShow(show);
        QVERIFY(third.refresh() && third.refresh());
        save(*dialog, u"run-progress"_s);
    }
    style::applyTheme(*qApp, style::Theme::light);
}

QTEST_MAIN(InspectorPicturesTest)
#include "tst_inspector_pictures.moc"
