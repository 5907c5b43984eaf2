// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// run.mjs SOURCE WORK PROGRAM [STORY...]: installs the packages of package-lock.json in the folder
// WORK, copies the stories of SOURCE there and runs them against the built rivora-lanes. Exit codes:
// 0 all good, 1 something failed, 77 skipped because the packages cannot be had.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const SKIPPED = 77;
const [source, work, program, ...wanted] = process.argv.slice(2).map((text) => path.resolve(text));
const STORIES = ["segment", "rudderstack", "cloudevents", "metrics", "readme"];
// What npm says when it was not answered, or by something that is not the registry.
const NO_REGISTRY =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|E407|E50[234])\b/;

function skip(reason) {
    const line = "*".repeat(78);
    console.log(`${line}\nSKIPPED, NOT PASSED: no real client was tried. ${reason}\n${line}`);
    process.exit(SKIPPED);
}

function install() {
    const lock = fs.readFileSync(path.join(source, "package-lock.json"), "utf8");
    const mark = path.join(work, "node_modules", ".installed");
    if (fs.existsSync(mark) && fs.readFileSync(mark, "utf8") === lock) return;
    fs.mkdirSync(work, { recursive: true });
    for (const name of ["package.json", "package-lock.json"])
        fs.copyFileSync(path.join(source, name), path.join(work, name));
    const npm = spawnSync(
        "npm",
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-timeout=60000",
         "--fetch-retries=1"],
        { cwd: work, encoding: "utf8", timeout: 300_000 },
    );
    if (npm.error?.code === "ENOENT") skip("There is no npm; install the package npm.");
    const said = `${npm.stdout ?? ""}${npm.stderr ?? ""}`;
    if (npm.status !== 0 && (npm.error?.code === "ETIMEDOUT" || NO_REGISTRY.test(said)))
        skip(`The npm registry cannot be reached:\n${said}`);
    if (npm.status !== 0) {
        console.log(`npm ci failed:\n${said}`);
        process.exit(1);
    }
    fs.writeFileSync(mark, lock);
}

install();
for (const name of fs.readdirSync(source))
    if (name.endsWith(".mjs")) fs.copyFileSync(path.join(source, name), path.join(work, name));

let failed = 0;
const chosen = wanted.map((text) => path.basename(text));
for (const story of chosen.length > 0 ? chosen : STORIES) {
    const ran = spawnSync(process.execPath, [path.join(work, `${story}.mjs`), program, source], {
        cwd: work,
        encoding: "utf8",
        timeout: 120_000,
    });
    if (ran.status !== 0) ++failed;
    const verdict = ran.status === 0 ? "passed" : `FAILED (${ran.status ?? ran.signal})`;
    console.log(`${story}: ${verdict}\n${ran.stdout}${ran.stderr}`);
}
console.log(failed === 0 ? "All real clients were served." : `${failed} failed.`);
process.exit(failed === 0 ? 0 : 1);
