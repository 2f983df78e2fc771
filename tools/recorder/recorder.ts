/**
 * Writes to a service under load, and compares what it acknowledged with what is there afterwards. What breaks the
 * service meanwhile is a scene: `tools/drill` kills one server, `tools/cluster` breaks several and what they depend on.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { createSeededRandom } from "../lib/seeded-random.ts";
import { readSessionCookie, ServiceClient } from "../lib/service-client.ts";
import { Checks } from "./checks/checks.ts";
import type { Findings } from "./checks/findings.ts";
import { Ledger } from "./ledger.ts";
import { UPLOAD_LANGUAGES } from "./load/books.ts";
import { LINK_LANGUAGE } from "./load/bulk.ts";
import { type Callers, type Load, startLoad, type Worker } from "./load/load.ts";

interface RecorderOptions {
  seed: number;
  /** Undefined if rows and files are on servers, which the doctor looks at. */
  dataDir?: string;
  /** What a disk that is full or failing may be answered with; none on a sound one. */
  diskStatuses?: readonly number[];
}

const made = z.object({ id: z.string(), key: z.string() });

export class Recorder {
  readonly ledger: Ledger;
  /** Settings of the server: its first administrator. */
  readonly admin = {
    ADMIN_EMAIL: "drill@example.org",
    ADMIN_PASSWORD: randomBytes(18).toString("base64url"),
  };
  readonly roll;
  readonly #checks: Checks;
  /** Headers of the administrator and of the API client, which outlive every kill. */
  #session = {};
  #bearer = {};

  constructor({ seed, dataDir, diskStatuses = [] }: RecorderOptions) {
    this.ledger = new Ledger(diskStatuses);
    this.roll = createSeededRandom(seed);
    this.#checks = new Checks(dataDir);
  }

  callers(base: string): Callers {
    const reader = new ServiceClient(base);
    return { reader, admin: reader.with(this.#session), apiClient: reader.with(this.#bearer) };
  }

  /** Logs in, and makes an API key and the languages. */
  async begin(base: string): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.admin;
    const login = { method: "POST", json: { email, password } } as const;
    this.#session = {
      cookie: readSessionCookie(await this.callers(base).reader.send("/api/auth/login", login)),
    };
    for (const code of [...UPLOAD_LANGUAGES, LINK_LANGUAGE]) {
      await this.ledger.write(this.callers(base).admin, {
        path: "/api/admin/languages",
        request: { method: "POST", json: { code, name: code, nativeName: code } },
        begin: () => [],
        lines: 1,
      });
    }
    this.#bearer = { authorization: `Bearer ${await this.addKey(base, "drill")}` };
  }

  /** @returns the new API key */
  async addKey(base: string, name: string): Promise<string> {
    const created = await this.ledger.write(this.callers(base).admin, {
      path: "/api/admin/api-keys",
      request: { method: "POST", json: { name } },
      begin: (requestId) => [this.ledger.keys.begin(name, "in force", requestId)],
      lines: 1,
    });
    if (!created) throw new Error(this.ledger.unexpected.join("\n"));
    return made.parse(JSON.parse(created.bytes.toString())).key;
  }

  /** @param more workers beside those that write */
  startLoad(base: string, more: readonly Worker[] = []): Load {
    return startLoad(this.ledger, this.callers(base), this.roll, more);
  }

  /** Reads everything back. Nothing else may be requested meanwhile. */
  compare(base: string): Promise<Findings> {
    return this.#checks.run(this.ledger, this.callers(base));
  }
}
