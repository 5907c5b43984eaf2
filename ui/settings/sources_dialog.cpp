// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/sources_dialog.h"

#include "engine/write_key.h"
#include "ui/common/command_tracker.h"
#include "ui/common/dialog_parts.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/labels.h"
#include "ui/common/state_style.h"
#include "ui/common/table.h"
#include "ui/common/time_display.h"
#include "ui/settings/sources_model.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>

namespace lanes::ui {

namespace {
constexpr QSize kSize(820, 440);
}

SourcesDialog::SourcesDialog(Engine& engine, CommandTracker& commands, TimeDisplay& times,
                             QWidget* parent)
    : QDialog(parent),
      m_engine(engine),
      m_commands(commands),
      m_model(new SourcesModel(times, this)),
      m_table(new Table(this)),
      m_newKey(new QPushButton(tr("&New key…"), this)),
      m_finish(new QPushButton(tr("&Finish change…"), this)),
      m_remove(new QPushButton(icon(Symbol::discard), tr("&Remove…"), this)),
      m_error(new QLabel(this)) {
    setObjectName(QStringLiteral("sourcesDialog"));
    setWindowTitle(tr("Sources"));
    setAttribute(Qt::WA_DeleteOnClose);
    build();
    connect(&engine, &Engine::snapshotPublished, this, &SourcesDialog::showSources);
    showSources();
    showActs();
    resize(kSize);
}

void SourcesDialog::build() {
    m_table->setObjectName(QStringLiteral("sourcesTable"));
    m_table->setAccessibleName(tr("Sources, by name"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnWidths({12, 6, 9, 10, 9, 20, 20}, SourcesModel::Added);
    m_table->setEmptyText(tr("No sender has a key of its own"),
                          tr("All of them show the general write key of the settings. With a "
                             "source for each, one key can be changed without the others."));
    auto* add = new QPushButton(icon(Symbol::add), tr("&Add…"), this);
    add->setObjectName(QStringLiteral("sourceAdd"));
    m_newKey->setObjectName(QStringLiteral("sourceNewKey"));
    m_newKey->setToolTip(tr("The present keys open as well, until the change is finished"));
    m_finish->setObjectName(QStringLiteral("sourceFinish"));
    m_finish->setToolTip(tr("The newest key alone opens from then on"));
    m_remove->setObjectName(QStringLiteral("sourceRemove"));
    m_error->setObjectName(QStringLiteral("sourceError"));
    m_error->setTextFormat(Qt::PlainText);
    m_error->setWordWrap(true);
    m_error->hide();
    auto* acts = new QHBoxLayout;
    acts->setSpacing(6);
    for (auto* button : {add, m_newKey, m_finish, m_remove}) {
        button->setAutoDefault(false);
        acts->addWidget(button);
    }
    acts->addStretch(1);
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(10);
    layout->addWidget(hintLabel(
        tr("Each source shows a write key of its own, and its events are told apart from those of "
           "others with the same ids."),
        this));
    layout->addWidget(m_table, 1);
    layout->addLayout(acts);
    layout->addWidget(m_error);
    layout->addWidget(close);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(add, &QPushButton::clicked, this, &SourcesDialog::addSource);
    connect(m_newKey, &QPushButton::clicked, this, &SourcesDialog::newKey);
    connect(m_finish, &QPushButton::clicked, this, &SourcesDialog::finishChange);
    connect(m_remove, &QPushButton::clicked, this, &SourcesDialog::removeSource);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_restoring = true; });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        m_restoring = false;
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (m_model->source(row)->config.id == m_current) m_table->selectRow(row);
        showActs();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_restoring) return;
        const auto rows = m_table->selectionModel()->selectedRows();
        const auto* source = rows.isEmpty() ? nullptr : m_model->source(rows.front().row());
        m_current = source ? source->config.id : SourceId();
        showActs();
    });
}

const SourceSnapshot* SourcesDialog::chosen() const {
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->source(row)->config.id == m_current) return m_model->source(row);
    return nullptr;
}

void SourcesDialog::showSources() {
    m_model->show(m_engine.snapshot()->sources);
    showActs();
}

void SourcesDialog::showActs() {
    const auto* source = chosen();
    m_newKey->setEnabled(source != nullptr && source->config.keys.size() < limits::kSourceKeys);
    m_finish->setEnabled(source != nullptr && source->config.keys.size() > 1);
    m_remove->setEnabled(source != nullptr);
}

void SourcesDialog::submit(const SourceConfig& config, const std::function<void()>& done) {
    m_error->hide();
    m_commands.submit(SetSource{config}, this, [this, done](const CommandResult& result) {
        if (result.ok()) return done();
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText,
                         readableText(errorStyle().colour, palette().color(QPalette::Window)));
        m_error->setPalette(colours);
        m_error->setText(plainLine(result.error));
        m_error->show();
    });
}

void SourcesDialog::addSource() {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("sourceNameDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Add source"));
    auto* layout = dialogLayout(*dialog);
    layout->addWidget(dialogHeading(tr("Add a source?"), dialog));
    layout->addWidget(dialogWords(tr("Letters, digits, dots, underscores and dashes. The name "
                                     "cannot be changed later: duplicates are known by it."),
                                  "sourceNameWords", dialog));
    auto* name = new QLineEdit(dialog);
    name->setObjectName(QStringLiteral("sourceName"));
    name->setMaxLength(64);
    auto* form = new QFormLayout;
    form->addRow(tr("&Name"), name);
    layout->addLayout(form);
    const auto buttons =
        addDialogButtons(*dialog, *layout, tr("Add source"), Symbol::add, "sourceNameAccept");
    buttons.accept->setEnabled(false);
    connect(name, &QLineEdit::textChanged, dialog, [accept = buttons.accept](const QString& text) {
        SourceConfig config;
        config.name = text.trimmed().toStdString();
        const auto problem = QString::fromStdString(validate(config));
        accept->setEnabled(problem.isEmpty());
        accept->setToolTip(plainTooltip(problem));
    });
    connect(dialog, &QDialog::accepted, this, [this, name] {
        const auto key = makeWriteKey();
        SourceConfig config;
        config.name = name->text().trimmed().toStdString();
        config.keys = {writeKeyHash(key)};
        config.addedBy = operatorName();
        submit(config, [this, shown = name->text().trimmed(), key] { showKey(shown, key); });
    });
    dialog->open();
}

void SourcesDialog::newKey() {
    const auto* source = chosen();
    if (source == nullptr) return;
    const auto key = makeWriteKey();
    SourceConfig config = source->config;
    config.keys.push_back(writeKeyHash(key));
    submit(config,
           [this, name = plainLine(config.name, kNameCharacters), key] { showKey(name, key); });
}

void SourcesDialog::finishChange() {
    const auto* source = chosen();
    if (source == nullptr || source->config.keys.size() < 2) return;
    SourceConfig config = source->config;
    const QString name = plainLine(config.name, kNameCharacters);
    const int old = static_cast<int>(config.keys.size()) - 1;
    ask(tr("Finish the change of keys"),
        tr("Withdraw %Ln older keys of %1?", nullptr, old).arg(name),
        tr("Whoever still shows one of them is refused from then on. The newest key alone opens."),
        tr("Withdraw %Ln keys", nullptr, old), "sourceFinishDialog",
        [this, config, name]() mutable {
            config.keys.erase(config.keys.begin(), config.keys.end() - 1);
            submit(config, [this, name] {
                emit succeeded(tr("%1 has one key; the older ones open nothing.").arg(name));
            });
        });
}

void SourcesDialog::removeSource() {
    const auto* source = chosen();
    if (source == nullptr) return;
    const QString name = plainLine(source->config.name, kNameCharacters);
    ask(tr("Remove source"), tr("Remove %1?").arg(name),
        tr("Its keys open nothing from then on. Events that it sent stay and are delivered."),
        tr("Remove source"), "sourceRemoveDialog", [this, id = source->config.id, name] {
            m_commands.submit(RemoveSource{id}, this, [this, name](const CommandResult& result) {
                if (result.ok())
                    return emit succeeded(tr("%1 is removed; its keys open nothing.").arg(name));
                m_error->setText(plainLine(result.error));
                m_error->show();
            });
        });
}

void SourcesDialog::ask(const QString& title, const QString& question, const QString& words,
                        const QString& verb, const char* name,
                        const std::function<void()>& agreed) {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QLatin1String(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* layout = dialogLayout(*dialog);
    layout->addWidget(dialogHeading(question, dialog));
    layout->addWidget(dialogWords(words, "sourceQuestionWords", dialog));
    addDialogButtons(*dialog, *layout, verb, Symbol::discard, "sourceQuestionAccept");
    connect(dialog, &QDialog::accepted, this, agreed);
    dialog->open();
}

void SourcesDialog::showKey(const QString& name, const std::string& key) {
    auto* dialog = new QDialog(this);
    dialog->setObjectName(QStringLiteral("sourceKeyDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Write key"));
    auto* layout = dialogLayout(*dialog);
    layout->addWidget(dialogHeading(tr("The write key of %1").arg(name), dialog));
    layout->addWidget(dialogWords(tr("Give it to the sender now. It is not shown again; if it is "
                                     "lost, make a new one."),
                                  "sourceKeyWords", dialog));
    auto* line = new QLineEdit(QString::fromStdString(key), dialog);
    line->setObjectName(QStringLiteral("sourceKey"));
    line->setReadOnly(true);
    line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    line->setMinimumWidth(line->fontMetrics().horizontalAdvance(line->text()) + 24);
    auto* copy = new QPushButton(icon(Symbol::copy), tr("Copy"), dialog);
    copy->setObjectName(QStringLiteral("sourceCopyKey"));
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(line, 1);
    row->addWidget(copy);
    layout->addLayout(row);
    auto* close = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    layout->addWidget(close);
    connect(copy, &QPushButton::clicked, dialog,
            [line] { QGuiApplication::clipboard()->setText(line->text()); });
    connect(close, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    line->selectAll();
    dialog->open();
}

}  // namespace lanes::ui
