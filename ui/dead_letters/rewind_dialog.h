// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queries.h"
#include "engine/snapshot.h"

#include <QDialog>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace lanes::ui {

/// Asks before dead letters are rewound or given up. The set is the one that was chosen when the
/// dialog opened; its exact number stands in the button. What the store knows of it comes later, as
/// a plan; nobody has to wait for that.
class RewindDialog : public QDialog {
    Q_OBJECT

public:
    enum class Act { rewind, discard };

    RewindDialog(Act act, const std::vector<DeadLetterRow>& letters, const EngineSnapshot& snapshot,
                 QWidget* parent = nullptr);
    /// For a set of which there is a plan already.
    RewindDialog(Act act, const RewindPlan& plan, const EngineSnapshot& snapshot,
                 QWidget* parent = nullptr);

    /// For all that match a filter: what they are, only the plan says.
    RewindDialog(Act act, const QString& filter, const EngineSnapshot& snapshot, QWidget* parent);

    /// Says what the plan found. The number in the button becomes that of the plan.
    void showPlan(const RewindPlan& plan);

    /// How many have died since that match too, and are no part of it.
    void showNewcomers(std::uint64_t count);

    [[nodiscard]] std::string reason() const;
    [[nodiscard]] RewindPace pace() const;
    /// Exactly what is moved.
    [[nodiscard]] const std::vector<Pointer>& pointers() const { return m_pointers; }

private:
    struct Share {
        std::size_t events = 0;
        std::size_t lanes = 0;
    };
    using Shares = std::map<DestinationId, Share>;

    void build(const QString& filter);
    void addPace(QVBoxLayout& layout);
    void showSet(const Shares& shares);
    void showAccept();
    void fitHeight();
    [[nodiscard]] QWidget* destinationList(const Shares& shares);
    [[nodiscard]] QString willHappen(const DestinationSnapshot& destination,
                                     const Share& share) const;

    Act m_act;
    EngineSnapshot m_snapshot;
    bool m_matching = false;  ///< the set is what matches a filter, not what was selected
    bool m_planned = false;
    std::vector<Pointer> m_pointers;
    QLabel* m_title;
    QVBoxLayout* m_set;
    QLabel* m_plan;
    QLabel* m_newcomers;
    QLineEdit* m_typed = nullptr;  ///< the number, where there are very many
    QLineEdit* m_reason;
    QSpinBox* m_tracer = nullptr;
    QDoubleSpinBox* m_pace = nullptr;
    QPushButton* m_accept = nullptr;
};

/// What a rewind of this plan means beside the moving itself, a sentence a line; empty if nothing.
[[nodiscard]] QString planText(const RewindPlan& plan, RewindDialog::Act act);

/// The words on the button that does it: "Rewind 12 events".
[[nodiscard]] QString actText(RewindDialog::Act act, std::size_t count);

}  // namespace lanes::ui
