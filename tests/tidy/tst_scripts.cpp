// Scripts are programs too: a formatter or a merge that mangles one must not go unnoticed until
// somebody needs it. Method: find every file that is executable, or begins as a script does, or is
// named as ours are, and let bash read it without running it.
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QtTest>

namespace holdfast::tests
{

class ScriptsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyScriptNamesItsShell();
    void everyScriptCanBeStarted();
    void bashCanReadEveryScript();
    void aMangledScriptIsFound();

private:
    static QString wrongWithFirstLine(const QByteArray &text);
    static QString wrongWithText(const QByteArray &text);

    struct Script {
        QString path; // from the top of the repository
        QByteArray text;
        bool isExecutable = false;
    };
    QVector<Script> m_scripts;
};

void ScriptsTest::initTestCase()
{
    const QDir root(qEnvironmentVariable("HOLDFAST_SOURCE_DIR"));
    for (const char *top : {"app", "core", "ui", "resources", "tests", ".ci"}) {
        QDirIterator walk(root.filePath(QLatin1String(top)), QDir::Files | QDir::Hidden,
                          QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QFile file(walk.next());
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            const bool isExecutable = file.permissions().testFlag(QFileDevice::ExeOwner);
            const bool isNamedSo = walk.fileName() == QLatin1String("run");
            if (!isExecutable && !isNamedSo && !file.peek(2).startsWith("#!"))
                continue;
            m_scripts.append(
                {root.relativeFilePath(file.fileName()), file.readAll(), isExecutable});
        }
    }
    QVERIFY2(m_scripts.size() >= 5, "the scripts were not found");
}

QString ScriptsTest::wrongWithFirstLine(const QByteArray &text)
{
    const QByteArray first = text.left(text.indexOf('\n'));
    return first == "#!/usr/bin/env bash"
               ? QString()
               : QStringLiteral("begins with \"%1\"").arg(QString::fromUtf8(first));
}

QString ScriptsTest::wrongWithText(const QByteArray &text)
{
    QProcess bash;
    bash.start(QStringLiteral("bash"), {QStringLiteral("-n")});
    bash.write(text);
    bash.closeWriteChannel();
    if (!bash.waitForFinished())
        return QStringLiteral("bash did not answer: ") + bash.errorString();
    return bash.exitCode() == 0 ? QString() : QString::fromUtf8(bash.readAllStandardError());
}

void ScriptsTest::everyScriptNamesItsShell()
{
    for (const Script &script : std::as_const(m_scripts)) {
        const QString wrong = wrongWithFirstLine(script.text);
        QVERIFY2(wrong.isEmpty(), qPrintable(script.path + u' ' + wrong));
    }
}

void ScriptsTest::everyScriptCanBeStarted()
{
    for (const Script &script : std::as_const(m_scripts))
        QVERIFY2(script.isExecutable, qPrintable(script.path + QStringLiteral(" is no program")));
}

void ScriptsTest::bashCanReadEveryScript()
{
    for (const Script &script : std::as_const(m_scripts)) {
        const QString wrong = wrongWithText(script.text);
        QVERIFY2(wrong.isEmpty(), qPrintable(script.path + QStringLiteral(": ") + wrong));
    }
}

// The checks above are worth what they refuse.
void ScriptsTest::aMangledScriptIsFound()
{
    QVERIFY(!wrongWithFirstLine("#!/ usr / bin / env bash\nset -e\n").isEmpty());
    QVERIFY(!wrongWithFirstLine("#!/bin/sh\n").isEmpty());
    QVERIFY(!wrongWithText("#!/usr/bin/env bash\nfor name in a b; do\n    echo\n").isEmpty());
    QVERIFY(wrongWithText("#!/usr/bin/env bash\nfor name in a b; do echo; done\n").isEmpty());
}

} // namespace holdfast::tests

QTEST_GUILESS_MAIN(holdfast::tests::ScriptsTest)
#include "tst_scripts.moc"
