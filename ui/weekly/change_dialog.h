// What a failure group suggests to change: why, the lines, and the way to the file. It changes
// nothing; definitions live in files, and a deployed version stays as it is.
#pragma once

#include <QDialog>
#include <QJsonObject>

namespace holdfast::weekly
{

class ChangeDialog : public QDialog
{
    Q_OBJECT
public:
    // `about` names the group; `suggestion` is as the operation `group` gives it.
    ChangeDialog(const QString &about, const QJsonObject &suggestion, QWidget *parent);

Q_SIGNALS:
    void fileWanted();
};

} // namespace holdfast::weekly
