// The workers that execute runs and what the doctor says is wrong, with what is safe to do.
#pragma once

#include <QJsonObject>
#include <QWidget>

namespace holdfast::widgets
{
class ElidedLabel;
class JsonTableModel;
} // namespace holdfast::widgets

namespace holdfast::settings
{

class EngineView : public QWidget
{
    Q_OBJECT
public:
    explicit EngineView(QWidget *parent = nullptr);

    void setEngine(const QString &sentence);
    void setWorkers(const QJsonArray &workers);
    void setReport(const QJsonObject &doctor);
    widgets::JsonTableModel *workers() const { return m_workers; }
    widgets::JsonTableModel *problems() const { return m_problems; }

private:
    widgets::ElidedLabel *m_engine = nullptr;
    widgets::ElidedLabel *m_facts = nullptr;
    widgets::JsonTableModel *m_workers = nullptr;
    widgets::JsonTableModel *m_problems = nullptr;
};

} // namespace holdfast::settings
