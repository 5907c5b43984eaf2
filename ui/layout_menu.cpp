// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layout_menu.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"

#include <QInputDialog>

#include <utility>

namespace lanes::ui {

LayoutMenu::LayoutMenu(const NamedLayouts& layouts, QWidget* parent)
    : QMenu(tr("La&yout"), parent), m_layouts(layouts) {
    setObjectName(QStringLiteral("layoutMenu"));
    build();
}

void LayoutMenu::refresh() {
    QMetaObject::invokeMethod(this, &LayoutMenu::build, Qt::QueuedConnection);
}

void LayoutMenu::build() {
    clear();
    delete std::exchange(m_deletes, nullptr);
    const QStringList names = m_layouts.names();
    const auto shown = [](const QString& name) {
        return menuText(plainLine(name.toStdString(), NamedLayouts::kLongestName));
    };
    for (const QString& name : names)
        addAction(tr("Layout: %1").arg(shown(name)), this, [this, name] { emit showWanted(name); })
            ->setObjectName(QStringLiteral("layoutShow"));
    if (!names.isEmpty()) addSeparator();
    addAction(tr("&Save layout…"), this, &LayoutMenu::askName)
        ->setObjectName(QStringLiteral("actionSaveLayout"));
    if (!names.isEmpty()) {
        m_deletes = addMenu(lanes::ui::icon(Symbol::discard), tr("&Delete layout"));
        for (const QString& name : names)
            m_deletes->addAction(tr("Delete layout: %1").arg(shown(name)), this,
                                 [this, name] { emit deleteWanted(name); })
                ->setObjectName(QStringLiteral("layoutDelete"));
    }
    addAction(tr("&Reset layout"), this, &LayoutMenu::resetWanted)
        ->setObjectName(QStringLiteral("actionResetLayout"));
}

void LayoutMenu::askName() {
    auto* dialog = new QInputDialog(parentWidget());
    dialog->setObjectName(QStringLiteral("layoutName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save layout"));
    dialog->setLabelText(
        tr("Name of the layout; one that is there already is replaced:"));
    dialog->setComboBoxEditable(true);
    dialog->setComboBoxItems(m_layouts.names());
    dialog->setTextValue(QString());
    dialog->setOkButtonText(tr("Save"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const QString name = text.trimmed().left(NamedLayouts::kLongestName);
        if (!name.isEmpty()) emit saveWanted(name);
    });
    dialog->open();
}

}  // namespace lanes::ui
