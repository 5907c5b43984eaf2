// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The meta objects of the public facades are compiled here.
#include "engine/engine.h"
#include "engine/mock_control.h"
