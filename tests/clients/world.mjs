// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every story needs: the real program with data of its own, and a receiver that believes
// nothing without its signature.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { Webhook } from "standardwebhooks";

/** Waits until the condition holds; the error says for what it waited. */
export async function until(condition, what, seconds = 30) {
    const end = Date.now() + seconds * 1000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

/** The program without a window, on free ports and data in a temporary directory. */
export class Engine {
    static async start(program) {
        const engine = new Engine();
        engine.program = program;
        engine.directory = fs.mkdtempSync(path.join(os.tmpdir(), "rivora-clients-"));
        engine.process = spawn(
            program,
            ["headless", "--listen", "0", "--quiet", "--data-dir", engine.directory],
            { stdio: ["ignore", "pipe", "inherit"] },
        );
        process.on("exit", () => engine.kill());
        let said = "";
        engine.process.stdout.on("data", (text) => (said += text));
        await until(() => /127\.0\.0\.1:(\d+)\/v1/.test(said), "the engine to listen");
        engine.url = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)\/v1/.exec(said)[1]}`;
        engine.key = engine.tell("write-key").trim();
        return engine;
    }

    tell(...command) {
        return execFileSync(this.program, [...command, "--data-dir", this.directory], {
            encoding: "utf8",
        });
    }

    status() {
        return JSON.parse(this.tell("status", "--json"));
    }

    async fetch(url, options = {}) {
        const headers = { Authorization: `Bearer ${this.key}`, ...options.headers };
        return fetch(this.url + url, { ...options, headers });
    }

    /** Ends it and lets it prove the order from its own log. */
    async stop() {
        const exited = once(this.process, "exit");
        this.process.kill("SIGTERM");
        assert.deepEqual(await exited, [0, null]);
        const proof = JSON.parse(this.tell("verify", "--json"));
        assert.equal(proof.order_violations, 0);
        assert.equal(proof.unbalanced, 0);
        fs.rmSync(this.directory, { recursive: true });
    }

    kill() {
        this.process.kill("SIGKILL");
        fs.rmSync(this.directory, { recursive: true, force: true });
    }
}

/** A destination of the engine that keeps what it was sent, each with its headers and bytes. */
export class Receiver {
    /** `refuse(delivery)` may say a status with which a delivery is refused. */
    static async start(engine, refuse = () => undefined) {
        const receiver = new Receiver();
        receiver.accepted = [];
        receiver.refused = 0;
        const secret = `whsec_${randomBytes(32).toString("base64")}`;
        const webhook = new Webhook(secret);
        receiver.server = http.createServer(async (request, response) => {
            const parts = [];
            for await (const part of request) parts.push(part);
            const delivery = { headers: request.headers, body: Buffer.concat(parts) };
            try {
                webhook.verify(delivery.body.toString(), request.headers, { jsonParse: false });
            } catch (error) {
                receiver.unverified ??= error;
                return response.writeHead(401).end();
            }
            const status = refuse(delivery);
            if (status === undefined) receiver.accepted.push(delivery);
            else ++receiver.refused;
            response.writeHead(status ?? 204).end();
        });
        receiver.server.listen(0, "127.0.0.1");
        await once(receiver.server, "listening");
        engine.tell("destinations", "add", "crm",
            `http://127.0.0.1:${receiver.server.address().port}/`, "--secret", secret);
        return receiver;
    }

    /** Waits for that many deliveries, then for the engine to know of them; none may be unverified,
     *  come twice or leave its place in its lane. */
    async expect(engine, count) {
        await until(() => this.accepted.length >= count || this.unverified, `${count} deliveries`);
        assert.equal(this.unverified, undefined);
        await until(() => engine.status().delivered >= count, "the engine to know of them");
        assert.equal(this.accepted.length, count);
        const last = new Map();
        const ids = new Set();
        for (const { headers } of this.accepted) {
            const lane = headers["rivora-lane"];
            const sequence = Number(headers["rivora-sequence"]);
            assert.ok(sequence > (last.get(lane) ?? 0), "in order");
            last.set(lane, sequence);
            ids.add(headers["webhook-id"]);
        }
        assert.equal(ids.size, count, "each once");
    }

    stop() {
        this.server.closeAllConnections?.();
        this.server.close();
    }
}

/** The bodies as JSON, by what `user` finds in each. */
export function byUser(deliveries, user) {
    const users = new Map();
    for (const { body } of deliveries) {
        const event = JSON.parse(body);
        const name = user(event);
        users.set(name, [...(users.get(name) ?? []), event]);
    }
    return users;
}

export function sha256(bytes) {
    return createHash("sha256").update(bytes).digest("hex");
}
