#include "app/console/demo_opening.h"

namespace holdfast::console
{

using namespace Qt::StringLiterals;

DemoOpening::DemoOpening(quint64 seed, QWidget *parent)
    : m_demo(std::make_unique<Demo>(seed)),
      m_window(std::make_unique<ProgressWindow>(
          u"Preparing the demo"_s,
          u"The engine works through two past weeks, on a clock moved by hand, against a sandbox "
          "that misbehaves. Nothing real is touched."_s,
          parent))
{
    if (parent)
        m_window->setWindowModality(Qt::WindowModal);
    connect(m_window.get(), &ProgressWindow::cancelled, this, &DemoOpening::cancel);
}

DemoOpening::~DemoOpening()
{
    cancel();
    if (m_thread)
        m_thread->wait();
}

void DemoOpening::start()
{
    m_window->show();
    m_thread.reset(QThread::create([this] {
        m_result = m_demo->prepare([this](int percent) {
            QMetaObject::invokeMethod(m_window.get(),
                                      [this, percent] { m_window->setPercent(percent); });
            return !m_isCancelled;
        });
    }));
    connect(m_thread.get(), &QThread::finished, this, [this] {
        m_window->hide();
        if (m_isCancelled)
            m_result = model::refused(u"The demo was not opened."_s);
        Q_EMIT done();
    });
    m_thread->start();
}

void DemoOpening::cancel() { m_isCancelled = true; }

} // namespace holdfast::console
