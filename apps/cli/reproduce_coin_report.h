// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the coin study → JSON, a Markdown table beside the paper's values, and figures.

#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "reproduce_coin_study.h"

namespace patchfield::cli {

/// Keys: eps_star.{tamsi,lagged}.<eps0>, eps_continuous, eps_semianalytic, eps_refined.<eps0>, order_dt, order_dx and
/// more.
nlohmann::json coin_json(const CoinStudy& study);

std::string coin_markdown(const CoinStudy& study);

/// coin.json, coin.md, coin_*.svg and .png in `folder`. False if PNGs could not be made.
bool write_coin_report(const CoinStudy& study, const std::filesystem::path& folder);

}  // namespace patchfield::cli
