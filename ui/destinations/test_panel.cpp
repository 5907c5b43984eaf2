// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/destinations/test_panel.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/state_style.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace lanes::ui {

namespace {

constexpr int kTickMs = 500;
constexpr int kMark = 16;
/// Enough for all headers and to recognise a page or an error by.
constexpr int kShownCharacters = 8000;
constexpr int kShownLines = 9;

/// Bytes from outside as text: what is no character is shown as such, lines stay lines.
QString wireText(const std::string& bytes) {
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    for (QChar& c : text)
        if (!c.isPrint() && c != u'\n' && c != u'\t' && c != u'\r' && !c.isSurrogate())
            c = QChar::ReplacementCharacter;
    return text.size() > kShownCharacters ? text.left(kShownCharacters) + QChar(0x2026) : text;
}

QPlainTextEdit* wireBox(const char* name, QWidget* parent) {
    auto* box = new QPlainTextEdit(parent);
    box->setObjectName(QLatin1String(name));
    box->setReadOnly(true);
    box->setTabChangesFocus(true);
    box->setFrameShape(QFrame::NoFrame);
    box->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    box->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    box->setFixedHeight(kShownLines * box->fontMetrics().height() + 12);
    return box;
}

}  // namespace

TestPanel::TestPanel(Engine& engine, QWidget* parent)
    : QWidget(parent),
      m_engine(engine),
      m_timer(new QTimer(this)),
      m_button(new QPushButton(this)),
      m_mark(new QLabel(this)),
      m_words(new QLabel(this)),
      m_exchange(new QTabWidget(this)),
      m_answer(wireBox("testAnswer", m_exchange)),
      m_request(wireBox("testRequest", m_exchange)) {
    setObjectName(QStringLiteral("testPanel"));
    m_button->setObjectName(QStringLiteral("testSend"));
    m_button->setText(tr("Send a test event"));
    m_button->setAutoDefault(false);
    m_words->setObjectName(QStringLiteral("testWords"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_exchange->setObjectName(QStringLiteral("testExchange"));
    m_exchange->addTab(m_answer, tr("Answer"));
    m_exchange->addTab(m_request, tr("Request"));
    m_answer->setAccessibleName(tr("What the destination answered"));
    m_answer->setPlaceholderText(tr("No answer came."));
    m_request->setAccessibleName(tr("What was sent; secrets are hidden"));
    m_mark->setFixedSize(kMark, kMark);

    auto* words = new QHBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_mark, 0, Qt::AlignTop);
    words->addWidget(m_words, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_button, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_exchange);
    m_exchange->hide();
    say(tr("One event of the type %1, sent now, outside all lanes.")
            .arg(QLatin1String(kTestEventType)),
        {});

    m_timer->setInterval(kTickMs);
    connect(m_timer, &QTimer::timeout, this, &TestPanel::tick);
    connect(m_button, &QPushButton::clicked, this, &TestPanel::press);
    connect(&m_engine, &Engine::testFinished, this,
            [this](CommandId test, const TestResult& result) {
                if (m_test == test) showResult(result);
            });
}

TestPanel::~TestPanel() {
    if (m_test) m_engine.cancelTest(*m_test);
}

void TestPanel::press() {
    if (!m_test) {
        emit wanted();
        return;
    }
    m_button->setEnabled(false);
    m_engine.cancelTest(*m_test);
}

void TestPanel::send(const DestinationConfig& config) {
    if (m_test) return;
    m_test = m_engine.sendTest(config);
    m_since.start();
    m_timer->start();
    m_button->setText(tr("Cancel the test"));
    m_exchange->hide();
    tick();
    emit resized();
}

void TestPanel::tick() {
    say(tr("Waiting for the answer: %1 s").arg(m_since.elapsed() / 1000),
        icon(Symbol::clock));
}

void TestPanel::showResult(const TestResult& result) {
    m_test.reset();
    m_timer->stop();
    m_button->setText(tr("Send another one"));
    m_button->setEnabled(true);
    const bool answered = result.status != 0;
    if (result.cancelled)
        say(result.mayHaveArrived
                ? tr("Cancelled. The request was on its way: the receiver may have it.")
                : tr("Cancelled before anything was sent."),
            icon(Symbol::info));
    else if (result.delivered())
        say(tr("Delivered: answered %1 after %2.")
                .arg(result.status)
                .arg(durationText(result.latency)),
            stateStyle(HealthState::healthy).icon);
    else if (answered)
        say(tr("Not delivered, after %1. %2")
                .arg(durationText(result.latency), plainLine(result.error)),
            errorStyle().icon);
    else
        say(result.mayHaveArrived
                ? tr("No answer, so it is not known whether it arrived. %1")
                      .arg(plainLine(result.error))
                : tr("It could not be sent. %1").arg(plainLine(result.error)),
            errorStyle().icon);
    m_answer->setPlainText(wireText(result.answer));
    m_request->setPlainText(wireText(result.request));
    m_exchange->setCurrentWidget(answered ? m_answer : m_request);
    m_exchange->setVisible(!result.request.empty());
    emit resized();
}

void TestPanel::say(const QString& text, const QIcon& mark) {
    m_words->setText(text);
    m_mark->setVisible(!mark.isNull());
    m_mark->setPixmap(mark.pixmap(QSize(kMark, kMark), devicePixelRatioF()));
    m_words->setForegroundRole(mark.isNull() ? QPalette::PlaceholderText : QPalette::WindowText);
}

}  // namespace lanes::ui
