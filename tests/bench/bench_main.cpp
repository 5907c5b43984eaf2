// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace {

using namespace lanes::bench;

constexpr int kRuns = 5;  // of the middle one little depends on a busy moment

const std::map<std::string, std::function<std::vector<BenchCase>(int)>>& benchmarks() {
    static const std::map<std::string, std::function<std::vector<BenchCase>(int)>> all = {
        {"lanes", benchLanes},
        {"ingest", benchIngest},
        {"ack", benchAck},
        {"deliver", benchDeliver},
        {"commits", benchCommits},
        {"recover", benchRecover},
        {"users", benchUsers},
        {"import", benchImport},
        {"verify", benchVerify},
        {"intake", benchIntake},
        {"pages", benchPages},
    };
    return all;
}

int usage() {
    std::string names;
    for (const auto& entry : benchmarks()) names += (names.empty() ? "" : "|") + entry.first;
    std::fprintf(stderr, "usage: rivora-lanes-bench %s [--json] [--runs N]\n", names.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    std::string name;
    bool json = false;
    int runs = kRuns;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--json") {
            json = true;
        } else if (argument == "--runs" && i + 1 < argc) {
            runs = std::atoi(argv[++i]);
        } else if (name.empty() && argument[0] != '-') {
            name = argument;
        } else {
            return usage();
        }
    }
    const auto found = benchmarks().find(name);
    if (found == benchmarks().end() || runs < 1 || runs > 1000) return usage();
    const auto cases = found->second(runs);
    std::printf("%s\n", json ? asJson(cases).c_str() : asText(cases).c_str());
    return 0;
}
