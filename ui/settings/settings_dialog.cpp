// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.h"

#include "ui/common/icons.h"
#include "ui/common/intake_words.h"
#include "ui/common/labels.h"
#include "ui/common/preferences.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {

constexpr int kWidth = 560;
constexpr int kIndent = 12;

QFormLayout* newForm(QVBoxLayout& column) {
    auto* form = new QFormLayout;
    form->setContentsMargins(kIndent, 0, 0, 8);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    column.addLayout(form);
    return form;
}

/// A row whose name leads to its first widget.
void addRow(QFormLayout& form, const QString& name, std::initializer_list<QWidget*> widgets,
            bool filled = true) {
    QWidget* first = *widgets.begin();
    auto* label = new QLabel(name, first->parentWidget());
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(first);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (QWidget* widget : widgets) row->addWidget(widget);
    if (!filled) row->addStretch(1);
    form.addRow(label, row);
}

}  // namespace

SettingsDialog::SettingsDialog(Engine& engine, TimeDisplay& times, const Facts& facts,
                               QWidget* parent)
    : QDialog(parent), m_engine(engine), m_times(times) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(8);
    addDisplay(*column);
    addNotes(*column, facts);
    addIntake(*column);
    addData(*column, facts.dataDirectory);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addSpacing(4);
    column->addWidget(buttons);
    setMinimumWidth(kWidth);
    resize(kWidth, column->totalHeightForWidth(kWidth));
}

void SettingsDialog::addDisplay(QVBoxLayout& column) {
    column.addWidget(sectionTitle(tr("Display"), this));
    auto* form = newForm(column);
    auto* times = new QComboBox(this);
    times->setObjectName(QStringLiteral("settingsTimes"));
    times->addItem(tr("UTC"));
    times->addItem(tr("Local time"));
    times->setCurrentIndex(m_times.zone() == TimeDisplay::Zone::local ? 1 : 0);
    connect(times, &QComboBox::activated, this, [this](int index) {
        m_times.setZone(index == 1 ? TimeDisplay::Zone::local : TimeDisplay::Zone::utc);
    });
    // The toolbar has the same switch.
    connect(&m_times, &TimeDisplay::changed, times, [this, times] {
        times->setCurrentIndex(m_times.zone() == TimeDisplay::Zone::local ? 1 : 0);
    });
    form->addRow(tr("&Times"), times);
    auto* theme = new QComboBox(this);
    theme->setObjectName(QStringLiteral("settingsTheme"));
    for (const QString& name : {tr("As the desktop"), tr("Light"), tr("Dark")})
        theme->addItem(name);
    theme->setCurrentIndex(static_cast<int>(Preferences::theme()));
    connect(theme, &QComboBox::activated, this, [](int index) {
        const auto chosen = static_cast<Theme>(index);
        Preferences::setTheme(chosen);
        applyTheme(*qApp, chosen);
    });
    form->addRow(tr("C&olours"), theme);
    auto* reset = new QPushButton(tr("&Reset the window layout"), this);
    reset->setObjectName(QStringLiteral("settingsResetLayout"));
    reset->setToolTip(tr("Docks, columns and dividers stand as at the first start"));
    reset->setAutoDefault(false);
    connect(reset, &QPushButton::clicked, this, &SettingsDialog::layoutResetWanted);
    addRow(*form, tr("Window"), {reset}, false);
}

void SettingsDialog::addNotes(QVBoxLayout& column, const Facts& facts) {
    column.addWidget(
        sectionTitle(tr("Notes on the desktop while another window is in front"), this));
    auto* grid = new QGridLayout;
    grid->setContentsMargins(kIndent, 0, 0, 0);
    grid->setVerticalSpacing(4);
    int place = 0;
    for (const auto& [kind, name] : facts.alerts) {
        auto* wanted = new QCheckBox(name, this);
        wanted->setObjectName(QStringLiteral("settingsNote-%1").arg(kind));
        wanted->setChecked(Preferences::wantsNote(kind));
        wanted->setEnabled(facts.hasTray);
        connect(wanted, &QCheckBox::toggled, this,
                [kind = kind](bool checked) { Preferences::setWantsNote(kind, checked); });
        grid->addWidget(wanted, place / 2, place % 2);
        ++place;
    }
    column.addLayout(grid);
    auto* words = new QHBoxLayout;
    words->setContentsMargins(kIndent, 0, 0, 8);
    words->addWidget(
        hintLabel(facts.hasTray ? tr("Whatever is chosen, all alerts stand in the overview.")
                                : tr("This desktop has no tray, so there are no notes. All alerts "
                                     "stand in the overview."),
                  this));
    column.addLayout(words);
}

void SettingsDialog::addIntake(QVBoxLayout& column) {
    column.addWidget(sectionTitle(tr("Sending events to this program"), this));
    auto* form = newForm(column);
    const QString address = intakeAddress(*m_engine.snapshot());
    auto* place = fact(address, "settingsIntake");
    if (address.isEmpty()) place->setPlaceholderText(tr("no events are accepted now"));
    addRow(*form, tr("&Address"),
           {place, copyButton(place, "settingsCopyIntake", tr("The address was copied."))});
    auto* key = fact(QString::fromStdString(m_engine.writeKey()), "settingsKey");
    key->setEchoMode(QLineEdit::Password);
    auto* show = new QToolButton(this);
    show->setObjectName(QStringLiteral("settingsShowKey"));
    show->setText(tr("Show"));
    show->setCheckable(true);
    connect(show, &QToolButton::toggled, key, [key](bool shown) {
        key->setEchoMode(shown ? QLineEdit::Normal : QLineEdit::Password);
    });
    addRow(*form, tr("Write &key"),
           {key, show, copyButton(key, "settingsCopyKey", tr("The write key was copied."))});
    auto* curl = new QPushButton(icon(Symbol::copy), tr("Copy a &command that sends one"), this);
    curl->setObjectName(QStringLiteral("settingsCopyCurl"));
    curl->setToolTip(tr("For a shell, with curl; the write key is in it"));
    curl->setAutoDefault(false);
    curl->setEnabled(!address.isEmpty());
    connect(curl, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(curlCommand(m_engine));
        emit copied(tr("The command was copied; the write key is in it."));
    });
    auto* sources = new QPushButton(tr("&Sources…"), this);
    sources->setObjectName(QStringLiteral("settingsSources"));
    sources->setToolTip(tr("Write keys of their own for single senders"));
    sources->setAutoDefault(false);
    connect(sources, &QPushButton::clicked, this, [this] {
        accept();
        emit sourcesWanted();
    });
    addRow(*form, tr("Example"), {curl}, false);
    addRow(*form, tr("Own keys"), {sources}, false);
    form->addRow(hintLabel(tr("Senders on this machine give the key as Authorization: Bearer. It "
                              "was made with the data directory and stays the same."),
                           this));
}

void SettingsDialog::addData(QVBoxLayout& column, const QString& directory) {
    if (directory.isEmpty()) return;
    column.addWidget(sectionTitle(tr("Data"), this));
    auto* form = newForm(column);
    auto* place = fact(directory, "settingsDirectory");
    addRow(*form, tr("&Directory"),
           {place, copyButton(place, "settingsCopyDirectory", tr("The path was copied."))});
    form->addRow(hintLabel(tr("It is chosen at the start, with --data-dir. File, Back up makes a "
                              "copy while the program runs."),
                           this));
}

QLineEdit* SettingsDialog::fact(const QString& text, const char* name) {
    auto* line = new QLineEdit(text, this);
    line->setObjectName(QLatin1String(name));
    line->setReadOnly(true);
    line->setCursorPosition(0);
    return line;
}

QToolButton* SettingsDialog::copyButton(QLineEdit* fact, const char* name, const QString& what) {
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setIcon(icon(Symbol::copy));
    button->setToolTip(tr("Copy"));
    button->setAccessibleName(tr("Copy"));
    button->setEnabled(!fact->text().isEmpty());
    connect(button, &QToolButton::clicked, this, [this, fact, what] {
        QGuiApplication::clipboard()->setText(fact->text());
        emit copied(what);
    });
    return button;
}

}  // namespace lanes::ui
