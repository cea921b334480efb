#include "app/console/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

namespace holdfast::console
{

using namespace Qt::StringLiterals;

namespace
{
const QString sampleOrigin = u"http://127.0.0.1:8460"_s;
constexpr int wrongEvery = 23;
} // namespace

QString samplesFolder()
{
    const QString installed =
        QCoreApplication::applicationDirPath() + u"/../share/holdfast/samples"_s;
    if (QDir(installed).exists())
        return installed;
    QDir up(QCoreApplication::applicationDirPath());
    do {
        if (up.exists(u"resources/samples"_s))
            return up.filePath(u"resources/samples"_s);
    } while (up.cdUp());
    return {};
}

model::Result<QJsonArray> sampleFiles(const QString &origin)
{
    const QString folder = samplesFolder();
    if (folder.isEmpty())
        return model::notFound(u"the samples are neither beside the program nor above it"_s);
    QJsonArray files;
    for (const QString &name : {u"order.yaml"_s, u"billing-assistant.yaml"_s}) {
        QFile file(folder + u'/' + name);
        if (!file.open(QIODevice::ReadOnly))
            return model::notFound(u"cannot read %1"_s.arg(file.fileName()));
        const QString text = QString::fromUtf8(file.readAll()).replace(sampleOrigin, origin);
        files.append(QJsonObject{{u"file"_s, name}, {u"text"_s, text}});
    }
    return files;
}

QJsonObject orderInput(int number)
{
    return {{u"order_id"_s, u"A-%1"_s.arg(1000 + number)},
            {u"customer_id"_s, u"C-%1"_s.arg(10 + number % 37)},
            {u"sku"_s, u"lamp-%1"_s.arg(number % 9)},
            {u"quantity"_s, 1 + number % 3},
            {u"total"_s, 1990 + 100 * (number % 80)},
            {u"address"_s, u"%1 Harbour Road"_s.arg(1 + number % 120)}};
}

QJsonObject invoiceInput(int number)
{
    const int part = 100 + number % 400;
    const int total = 500 + part + (number % wrongEvery == 0 ? 1 : 0);
    return {{u"order_id"_s, u"B-%1"_s.arg(2000 + number)},
            {u"customer_id"_s, u"C-%1"_s.arg(10 + number % 37)},
            {u"email"_s, u"customer%1@example.com"_s.arg(10 + number % 37)},
            {u"total"_s, total},
            {u"lines"_s,
             QJsonArray{QJsonObject{{u"amount"_s, 500}}, QJsonObject{{u"amount"_s, part}}}}};
}

} // namespace holdfast::console
