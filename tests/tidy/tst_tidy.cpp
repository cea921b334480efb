// The written rules of this repository, kept by a test: who may include whom, sizes, words, and
// what the pure folders must not touch. Method: read every file of the source tree, take strings
// and comments apart from code with a small scanner, and list every breach with file and line.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>
#include <algorithm>

namespace holdfast::tests
{

struct Source {
    QString path; // from the top of the repository
    QString text;
    QString code; // comments and literals blanked, same line breaks
    QStringList literals;
};

namespace
{
constexpr int fileLinesMax = 600;
constexpr int functionLinesMax = 80; // 60 is the rule; the brace heuristic needs some room
constexpr int columnsMax = 100;

// Walks a C++ text once and sorts each character into code, literal or comment.
class Scanner
{
public:
    explicit Scanner(Source &source) : m_source(source), m_text(source.text) {}

    void scan()
    {
        while (m_at < m_text.size()) {
            if (looksAt("//"))
                skipTo(QStringLiteral("\n"), false);
            else if (looksAt("/*"))
                skipTo(QStringLiteral("*/"), true);
            else if (looksAt("R\"") && !isWord(m_at - 1))
                rawString();
            else if (m_text.at(m_at) == u'"')
                quoted(u'"');
            else if (m_text.at(m_at) == u'\'' && !isInNumber())
                quoted(u'\'');
            else
                m_source.code += m_text.at(m_at++);
        }
    }

private:
    bool looksAt(const char *what) const
    {
        return QStringView(m_text).mid(m_at).startsWith(QLatin1String(what));
    }
    bool isWord(qsizetype at) const { return at >= 0 && m_text.at(at).isLetterOrNumber(); }
    bool isInNumber() const // 1'000 and 0xff'ff, but not u'x'
    {
        qsizetype start = m_at;
        while (isWord(start - 1) || (start > 0 && m_text.at(start - 1) == u'\''))
            --start;
        return start < m_at && m_text.at(start).isDigit();
    }
    void blank(qsizetype until)
    {
        for (; m_at < until; ++m_at)
            m_source.code += m_text.at(m_at) == u'\n' ? u'\n' : u' ';
    }
    void skipTo(const QString &end, bool including)
    {
        const qsizetype found = m_text.indexOf(end, m_at);
        blank(found < 0 ? m_text.size() : found + (including ? end.size() : 0));
    }
    void rawString()
    {
        const qsizetype open = m_text.indexOf(u'(', m_at);
        const QString end = u')' + m_text.mid(m_at + 2, open - m_at - 2) + u'"';
        const qsizetype close = m_text.indexOf(end, open);
        m_source.literals << m_text.mid(open + 1, close - open - 1);
        blank(close < 0 ? m_text.size() : close + end.size());
    }
    void quoted(QChar quote)
    {
        qsizetype end = m_at + 1;
        while (end < m_text.size() && m_text.at(end) != quote && m_text.at(end) != u'\n')
            end += m_text.at(end) == u'\\' ? 2 : 1;
        m_source.literals << m_text.mid(m_at + 1, end - m_at - 1);
        blank(std::min(end + 1, m_text.size()));
    }

    Source &m_source;
    const QString &m_text;
    qsizetype m_at = 0;
};

struct Function {
    int firstLine = 0;
    int lines = 0;
    QString head; // what stands before the brace
};

// A block is a function's when what stands before its brace has a parenthesis and is no type,
// namespace or initialiser. Blocks inside a function are part of it.
QVector<Function> functionsOf(const QString &code)
{
    static const QRegularExpression notAFunction(
        QStringLiteral(
            "^\\s*(template\\s*<[^{}]*>\\s*)?(namespace|class|struct|enum|union)\\b|=\\s*\\z"),
        QRegularExpression::MultilineOption);
    QVector<Function> functions;
    QVector<bool> blocks; // whether each open block belongs to a function
    int line = 1;
    int inFunction = 0;
    int openedAt = 0;
    QString before;
    QString head;
    for (const QChar c : code) {
        if (c == u'\n')
            ++line;
        if (c == u'{') {
            const bool body =
                inFunction > 0 || (before.contains(u')') && !before.contains(notAFunction));
            if (body && inFunction++ == 0) {
                openedAt = line;
                head = before.simplified();
            }
            blocks << body;
        } else if (c == u'}' && !blocks.isEmpty()) {
            if (blocks.takeLast() && --inFunction == 0)
                functions << Function{openedAt, line - openedAt + 1, head};
        }
        if (c == u'{' || c == u'}' || c == u';')
            before.clear();
        else
            before += c;
    }
    return functions;
}

QString folderOf(const QString &path) // "core/engine/x.cpp" is of "engine"
{
    return path.section(u'/', 1, 1);
}

int lineOf(const QString &text, qsizetype offset)
{
    return int(QStringView(text).left(offset).count(u'\n')) + 1;
}
} // namespace

class TidyTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void includesPointInOneDirection();
    void filesAndFunctionsAreShort();
    void linesFitTheColumns();
    void sqlStandsInSqlFilesOnly();
    void theOutsideIsNeverCalledThroughQNetworkAccessManager();
    void testsWaitForCausesAndDoNotSleep();
    void pureFoldersTouchNothingAmbient();
    void noMachinePathStandsAnywhere();
    void readmeCarriesTheGlossary();
    void topLevelHoldsOnlyItsNames();
    void namespaceIsTheFolder();
    void scannerTellsCodeFromText();

private:
    QVector<Source> under(const QString &prefix) const;
    void findIn(const QVector<Source> &sources, const QString &pattern, const QString &why,
                QStringList &breaches) const;
    static const char *listed(const QStringList &breaches);

    QDir m_root{qEnvironmentVariable("HOLDFAST_SOURCE_DIR")};
    QVector<Source> m_sources;
};

void TidyTest::initTestCase()
{
    for (const char *top : {"app", "core", "ui", "tests"}) {
        QDirIterator files(m_root.filePath(QLatin1String(top)),
                           {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            Source source;
            QFile file(files.next());
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            source.path = m_root.relativeFilePath(file.fileName());
            source.text = QString::fromUtf8(file.readAll());
            Scanner(source).scan();
            m_sources << source;
        }
    }
    QVERIFY2(m_sources.size() > 50, "the source tree was not found");
    std::sort(m_sources.begin(), m_sources.end(),
              [](const Source &a, const Source &b) { return a.path < b.path; });
}

QVector<Source> TidyTest::under(const QString &prefix) const
{
    QVector<Source> found;
    std::copy_if(m_sources.begin(), m_sources.end(), std::back_inserter(found),
                 [&](const Source &source) { return source.path.startsWith(prefix); });
    return found;
}

void TidyTest::findIn(const QVector<Source> &sources, const QString &pattern, const QString &why,
                      QStringList &breaches) const
{
    const QRegularExpression expression(pattern);
    for (const Source &source : sources) {
        auto matches = expression.globalMatch(source.code);
        while (matches.hasNext()) {
            const auto match = matches.next();
            breaches << QStringLiteral("%1:%2 %3: %4")
                            .arg(source.path)
                            .arg(lineOf(source.code, match.capturedStart()))
                            .arg(match.captured().simplified(), why);
        }
    }
}

// One line each, since a message of QtTest is cut off after a while.
const char *TidyTest::listed(const QStringList &breaches)
{
    for (const QString &breach : breaches)
        qWarning("%s", qPrintable(breach));
    return "see above";
}

void TidyTest::includesPointInOneDirection()
{
    const QString ports = QStringLiteral("ports");
    const QString contract = QStringLiteral("contract");
    const QString engine = QStringLiteral("engine");
    const QString control = QStringLiteral("control");
    const QMap<QString, QStringList> mayInclude{
        {QStringLiteral("model"), {}},
        {engine, {}},
        {ports, {}},
        {contract, {}},
        {QStringLiteral("store"), {ports}},
        {QStringLiteral("actions"), {ports, contract}},
        {QStringLiteral("runtime"), {engine, ports, contract}},
        {control, {engine, ports, contract, QStringLiteral("insight")}},
        {QStringLiteral("insight"), {ports}},
        {QStringLiteral("api"), {control}},
        {QStringLiteral("ui"), {control}},
    };
    const QRegularExpression include(QStringLiteral("^\\s*#include \"([^\"]+)\""),
                                     QRegularExpression::MultilineOption);
    QStringList breaches;
    for (const Source &source : under(QStringLiteral("core/")) + under(QStringLiteral("ui/"))) {
        const bool isUi = source.path.startsWith(QLatin1String("ui/"));
        const QString own = isUi ? QStringLiteral("ui") : folderOf(source.path);
        if (!mayInclude.contains(own))
            breaches << source.path + QStringLiteral(": a folder the design does not name");
        auto matches = include.globalMatch(source.text);
        while (matches.hasNext()) {
            const QString target = matches.next().captured(1);
            const QString folder = target.section(u'/', 0, 0);
            if (!target.contains(u'/') || folder == own || folder == QLatin1String("model") ||
                mayInclude.value(own).contains(folder))
                continue;
            breaches << QStringLiteral("%1 includes %2").arg(source.path, target);
        }
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::filesAndFunctionsAreShort()
{
    QStringList breaches;
    for (const Source &source : m_sources) {
        const qsizetype lines = source.text.count(u'\n');
        if (lines > fileLinesMax)
            breaches << QStringLiteral("%1 has %2 lines").arg(source.path).arg(lines);
        for (const Function &function : functionsOf(source.code)) {
            // A table of test data is as long as it is.
            if (function.lines > functionLinesMax &&
                !function.head.endsWith(QLatin1String("_data()")))
                breaches << QStringLiteral("%1:%2 function of %3 lines")
                                .arg(source.path)
                                .arg(function.firstLine)
                                .arg(function.lines);
        }
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::linesFitTheColumns()
{
    QStringList breaches;
    for (const Source &source : m_sources) {
        int number = 0;
        for (const QString &line : source.text.split(u'\n')) {
            ++number;
            if (line.size() > columnsMax)
                breaches << QStringLiteral("%1:%2 has %3 columns")
                                .arg(source.path)
                                .arg(number)
                                .arg(line.size());
        }
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::sqlStandsInSqlFilesOnly()
{
    const QRegularExpression statement(
        QStringLiteral("^\\s*(select\\s.+\\sfrom\\s|insert\\s+into\\s|update\\s+\\w+\\s+set\\s|"
                       "delete\\s+from\\s)"),
        QRegularExpression::CaseInsensitiveOption);
    QStringList breaches;
    for (const Source &source : under(QStringLiteral("core/"))) {
        for (const QString &literal : source.literals) {
            if (literal.contains(statement))
                breaches << QStringLiteral("%1: %2").arg(source.path, literal);
        }
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

// It sends a POST again by itself when a server hangs up; see the black-box test of the HTTP
// sender.
void TidyTest::theOutsideIsNeverCalledThroughQNetworkAccessManager()
{
    QStringList breaches;
    findIn(under(QStringLiteral("app/")) + under(QStringLiteral("core/")) +
               under(QStringLiteral("ui/")),
           QStringLiteral("\\bQNetworkAccessManager\\b"), QStringLiteral("re-sends silently"),
           breaches);
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::testsWaitForCausesAndDoNotSleep()
{
    QVector<Source> sources = under(QStringLiteral("tests/"));
    // It waits for a server process, which gives no signal when it is ready.
    sources.removeIf([](const Source &source) {
        return source.path == QLatin1String("tests/support/postgres_server.cpp");
    });
    QStringList breaches;
    findIn(sources,
           QStringLiteral("\\b(m|u|nano)?[sS]leep\\s*\\(|\\bqSleep\\b|\\bsleep_(for|until)\\b"),
           QStringLiteral("wait for a cause instead"), breaches);
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::pureFoldersTouchNothingAmbient()
{
    const QVector<Source> engine = under(QStringLiteral("core/engine/"));
    QVector<Source> pure = engine + under(QStringLiteral("core/model/"));
    // New ids are the one thing in model that needs chance; the engine receives them in events.
    pure.removeIf(
        [](const Source &source) { return source.path == QLatin1String("core/model/ids.cpp"); });
    QStringList breaches;
    const QString clock = QStringLiteral("time and chance are arguments");
    findIn(pure, QStringLiteral("\\bstd::hash\\b|\\bqHash\\b|\\bunordered_\\w+"),
           QStringLiteral("differs between processes"), breaches);
    // A set may answer whether something is in it; nothing may depend on its order.
    findIn(pure, QStringLiteral("\\bQ(Multi)?Hash\\b"),
           QStringLiteral("has no stable order; use QMap or a vector"), breaches);
    findIn(pure,
           QStringLiteral("\\bcurrent(DateTime|Time|Date|Secs|MSecs)\\w*\\b|\\bQElapsedTimer\\b|"
                          "\\bstd::chrono\\b|\\bQTimer\\b"),
           clock, breaches);
    findIn(pure,
           QStringLiteral("\\bQRandomGenerator\\b|\\bs?rand\\s*\\(|\\bstd::\\w*_distribution\\b|"
                          "\\bstd::mt19937\\b|\\brandom_device\\b"),
           clock, breaches);
    findIn(pure,
           QStringLiteral(
               "\\bstatic\\s+(?!const\\b|constexpr\\b|inline\\b)[\\w:<>, ]+\\s+\\w+\\s*(=|;|\\{)"),
           QStringLiteral("state that outlives a call"), breaches);
    findIn(
        pure,
        QStringLiteral("\\bq(Debug|Info|Warning|Critical)\\b|\\bstd::(cout|cerr|thread|mutex)\\b"),
        QStringLiteral("no logging, no threads"), breaches);
    findIn(engine, QStringLiteral("\\b(float|double|qreal)\\b"),
           QStringLiteral("integers that saturate"), breaches);
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::noMachinePathStandsAnywhere()
{
    // Put together here, or this file would be its own first breach.
    const QString pattern = QStringLiteral("/%1/(main|shared)|/%2/|/%3/(build-|bash_)|/%4/[a-z]+/")
                                .arg(QStringLiteral("wo") + QStringLiteral("rk"),
                                     QStringLiteral("fa") + QStringLiteral("rm"),
                                     QStringLiteral("tm") + QStringLiteral("p"),
                                     QStringLiteral("ho") + QStringLiteral("me"));
    const QRegularExpression machinePath(pattern);
    QStringList breaches;
    QStringList files;
    for (const char *top : {"app", "core", "ui", "resources", "tests", ".ci"}) {
        QDirIterator walk(m_root.filePath(QLatin1String(top)), QDir::Files | QDir::Hidden,
                          QDirIterator::Subdirectories);
        while (walk.hasNext())
            files << walk.next();
    }
    for (const char *top : {"README.md", "CMakeLists.txt", "CMakePresets.json", ".gitignore"})
        files << m_root.filePath(QLatin1String(top));
    for (const QString &name : files) {
        QFile file(name);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
        const QString text = QString::fromUtf8(file.readAll());
        const auto match = machinePath.match(text);
        if (match.hasMatch())
            breaches << QStringLiteral("%1:%2 %3")
                            .arg(m_root.relativeFilePath(name))
                            .arg(lineOf(text, match.capturedStart()))
                            .arg(match.captured());
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

void TidyTest::readmeCarriesTheGlossary()
{
    const QStringList words =
        QStringLiteral("workflow,dependency,run,step,attempt,intent,receipt,key,ledger,class,"
                       "failure group,effect,verify,compensation,review,pause,tripwire,alert,"
                       "delivery,batch,sign-off,archive,journal,worker,operator")
            .split(u',');
    QFile readme(m_root.filePath(QStringLiteral("README.md")));
    QVERIFY(readme.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(readme.readAll());
    const QString section =
        text.section(QStringLiteral("\n## Glossary\n"), 1).section(QStringLiteral("\n## "), 0, 0);
    const QRegularExpression row(QStringLiteral("^\\| ([\\w-]+(?: \\w+)?) \\| \\S.+ \\|$"),
                                 QRegularExpression::MultilineOption);
    QStringList found;
    auto matches = row.globalMatch(section);
    while (matches.hasNext())
        found << matches.next().captured(1);
    QVERIFY2(found.startsWith(QStringLiteral("word")), "the table's head");
    found.removeFirst();
    QCOMPARE(found, words);
}

void TidyTest::topLevelHoldsOnlyItsNames()
{
    const QSet<QString> allowed{
        QStringLiteral("app"),       QStringLiteral("core"),    QStringLiteral("ui"),
        QStringLiteral("resources"), QStringLiteral("tests"),   QStringLiteral("CMakeLists.txt"),
        QStringLiteral("README.md"), QStringLiteral("LICENSE"), QStringLiteral("CMakePresets.json"),
    };
    QStringList breaches;
    // Dotfiles are free, and build folders are never part of the repository.
    for (const QString &name : m_root.entryList(QDir::AllEntries | QDir::NoDotAndDotDot)) {
        if (!allowed.contains(name) && !name.startsWith(QLatin1String("build")) &&
            name != QLatin1String("compile_commands.json"))
            breaches << name;
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
    for (const QString &name : allowed)
        QVERIFY2(m_root.exists(name), qPrintable(name));
}

void TidyTest::namespaceIsTheFolder()
{
    QStringList breaches;
    for (const Source &source : under(QStringLiteral("core/")) + under(QStringLiteral("ui/"))) {
        const QString expected = QStringLiteral("namespace holdfast::") + folderOf(source.path);
        if (!source.code.contains(expected))
            breaches << QStringLiteral("%1 lacks \"%2\"").arg(source.path, expected);
    }
    QVERIFY2(breaches.isEmpty(), listed(breaches));
}

// The checks above are worth what the scanner is worth.
void TidyTest::scannerTellsCodeFromText()
{
    Source source;
    source.text =
        QStringLiteral("int f(int a) // rand(\n{\n    g(\"dou\\\"ble { x\", u'{', 1'000);\n"
                       "    R\"(raw } text)\";\n}\nstruct S {\n    int x = 1;\n};\n");
    Scanner(source).scan();
    QCOMPARE(source.code.count(u'\n'), source.text.count(u'\n'));
    QVERIFY(!source.code.contains(QLatin1String("rand")));
    QVERIFY(!source.code.contains(QLatin1String("raw")));
    QVERIFY(source.code.contains(QLatin1String("1'000")));
    QCOMPARE(source.literals.size(), 3);
    QCOMPARE(source.literals.at(2), QStringLiteral("raw } text"));
    const QVector<Function> functions = functionsOf(source.code);
    QCOMPARE(functions.size(), 1);
    QCOMPARE(functions.at(0).firstLine, 2);
    QCOMPARE(functions.at(0).lines, 4);
}

} // namespace holdfast::tests

QTEST_APPLESS_MAIN(holdfast::tests::TidyTest)
#include "tst_tidy.moc"
