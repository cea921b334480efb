// One key whole: what was asked for under it, what came of it, who used it and until when it is
// remembered. Nothing here can be deleted.
#pragma once

#include "ui/widgets/panel.h"

#include <QJsonObject>

class QFormLayout;
class QPushButton;

namespace holdfast::widgets
{
class CodeView;
class ElidedLabel;
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::ledger
{

class KeyDetail : public widgets::Panel
{
    Q_OBJECT
public:
    explicit KeyDetail(QWidget *parent = nullptr);

    void setRow(const QJsonObject &row);

Q_SIGNALS:
    void runWanted(const QString &run);

private:
    widgets::ElidedLabel *addFact(QFormLayout &form, const QString &name,
                                  const QString &objectName);

    QJsonObject m_row;
    widgets::WrapLabel *m_key = nullptr;
    widgets::TokenLabel *m_status = nullptr;
    widgets::ElidedLabel *m_operation = nullptr;
    widgets::ElidedLabel *m_hash = nullptr;
    widgets::ElidedLabel *m_step = nullptr;
    widgets::ElidedLabel *m_created = nullptr;
    widgets::ElidedLabel *m_expires = nullptr;
    widgets::CodeView *m_request = nullptr;
    widgets::CodeView *m_result = nullptr;
    QPushButton *m_run = nullptr;
    QPushButton *m_copy = nullptr;
};

} // namespace holdfast::ledger
