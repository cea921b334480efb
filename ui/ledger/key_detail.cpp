#include "ui/ledger/key_detail.h"

#include "ui/ledger/key_look.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/times.h"
#include "ui/widgets/token_label.h"
#include "ui/widgets/wrap_label.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QPushButton>
#include <QVBoxLayout>

namespace holdfast::ledger
{

using namespace Qt::StringLiterals;
using style::Token;

namespace
{
QString jsonText(const QJsonValue &value, const QString &instead)
{
    const QJsonObject object = value.toObject();
    return object.isEmpty() ? instead : QString::fromUtf8(QJsonDocument(object).toJson()).trimmed();
}

QString stepText(const QJsonObject &row)
{
    const QString step = row.value("step"_L1).toString();
    return row.value("direction"_L1) == u"compensate"_s ? u"compensation of "_s + step : step;
}
} // namespace

KeyDetail::KeyDetail(QWidget *parent) : Panel(parent)
{
    setObjectName(u"keyDetail"_s);
    const int unit = fontMetrics().averageCharWidth();
    auto *whole = new QHBoxLayout(this);
    whole->setContentsMargins(unit * 2, unit * 3 / 2, unit * 2, unit * 3 / 2);
    whole->setSpacing(unit * 2);
    auto *column = new QVBoxLayout;
    m_key = new widgets::WrapLabel;
    m_key->setObjectName(u"key"_s);
    m_key->setAccessibleName(u"Key"_s);
    QFont bold = font();
    bold.setBold(true);
    m_key->setFont(bold);
    m_status = new widgets::TokenLabel;
    m_status->setObjectName(u"keyStatus"_s);
    m_status->setAccessibleName(u"Status of the key"_s);
    auto *form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft);
    form->addRow(new widgets::TokenLabel(u"Status"_s, Token::muted), m_status);
    m_operation = addFact(*form, u"Operation"_s, u"keyOperation"_s);
    m_step = addFact(*form, u"Step"_s, u"keyStep"_s);
    m_created = addFact(*form, u"Created"_s, u"keyCreated"_s);
    m_expires = addFact(*form, u"Expires"_s, u"keyExpires"_s);
    m_hash = addFact(*form, u"Request hash"_s, u"keyHash"_s);
    m_request = new widgets::CodeView(u"Request"_s);
    m_request->setObjectName(u"request"_s);
    m_result = new widgets::CodeView(u"Result"_s);
    m_result->setObjectName(u"result"_s);
    m_run = new QPushButton(u"Open run"_s);
    m_run->setObjectName(u"openRun"_s);
    m_run->setAccessibleName(u"Open run"_s);
    m_copy = new QPushButton(u"Copy key"_s);
    m_copy->setObjectName(u"copyKey"_s);
    m_copy->setAccessibleName(u"Copy key"_s);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_run);
    buttons->addWidget(m_copy);
    buttons->addStretch();
    column->addWidget(m_key);
    column->addLayout(form);
    column->addLayout(buttons);
    column->addStretch();
    whole->addLayout(column, 4);
    for (widgets::CodeView *view : {m_request, m_result}) {
        auto *side = new QVBoxLayout;
        side->addWidget(widgets::heading(view->accessibleName()));
        side->addWidget(view, 1);
        whole->addLayout(side, 3);
    }
    connect(m_run, &QPushButton::clicked, this,
            [this] { Q_EMIT runWanted(m_row.value("run_id"_L1).toString()); });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_row.value("key"_L1).toString()); });
}

widgets::ElidedLabel *KeyDetail::addFact(QFormLayout &form, const QString &name,
                                         const QString &objectName)
{
    auto *label = new widgets::ElidedLabel;
    label->setObjectName(objectName);
    label->setAccessibleName(name);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    form.addRow(new widgets::TokenLabel(name, Token::muted), label);
    return label;
}

void KeyDetail::setRow(const QJsonObject &row)
{
    m_row = row;
    m_key->setText(row.value("key"_L1).toString());
    const KeyLook look = keyLook(row.value("status"_L1).toString());
    m_status->setText(look.text);
    m_status->setToken(look.token);
    m_operation->setWhole(row.value("operation"_L1).toString());
    m_step->setWhole(stepText(row));
    m_hash->setWhole(row.value("hash"_L1).toString());
    m_created->setWhole(widgets::fullTime(widgets::instantOf(row.value("created_at"_L1))));
    const model::Instant expires = widgets::instantOf(row.value("expires_at"_L1));
    m_expires->setWhole(expires == model::never ? u"not while an open run needs it"_s
                                                : widgets::fullTime(expires));
    const bool isRead = row.contains("request"_L1);
    m_request->setCode(
        jsonText(row.value("request"_L1), isRead ? u"The request is not kept."_s : u"Reading…"_s));
    m_result->setCode(jsonText(row.value("result"_L1), u"There is no result yet."_s));
    m_run->setEnabled(!row.value("run_id"_L1).toString().isEmpty());
}

} // namespace holdfast::ledger
