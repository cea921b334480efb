// The top of a run: where it stands, whose it is, and the verdict in one sentence.
#pragma once

#include "ui/inspector/run_story.h"

#include <QWidget>

class QPushButton;

namespace holdfast::widgets
{
class ElidedLabel;
class TokenLabel;
class WrapLabel;
} // namespace holdfast::widgets

namespace holdfast::inspector
{

class RunHead : public QWidget
{
    Q_OBJECT
public:
    explicit RunHead(QWidget *parent = nullptr);

    void setStory(const RunStory &story, model::Instant now);
    // A run that could not be read, or none was chosen.
    void showNothing(const QString &why, bool isBad);

Q_SIGNALS:
    void reviewWanted(const QString &review);

protected:
    void changeEvent(QEvent *event) override;

private:
    QString figures(const RunStory &story, model::Instant now) const;

    widgets::TokenLabel *m_status = nullptr;
    widgets::ElidedLabel *m_event = nullptr;
    widgets::ElidedLabel *m_identity = nullptr;
    widgets::WrapLabel *m_verdict = nullptr;
    widgets::ElidedLabel *m_figures = nullptr;
    QPushButton *m_review = nullptr;
    QString m_reviewId;
};

} // namespace holdfast::inspector
