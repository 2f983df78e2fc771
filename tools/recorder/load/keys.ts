/** Somebody who makes API keys, uses them and revokes them. */
import { z } from "zod";
import type { WorkerDeps } from "../ledger.ts";

const MAX_KEYS = 6;

const made = z.object({ id: z.string(), key: z.string() });

export class KeyWorker {
  readonly #deps: WorkerDeps;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  async act(): Promise<void> {
    // Of a key whose making was cut off only the service knows what it is.
    const known = this.#deps.ledger.keys.keys.flatMap((name) => {
      const secret = this.#deps.ledger.secrets.get(name);
      return secret ? [{ name, id: secret.id }] : [];
    });
    const key = known[this.#deps.roll(MAX_KEYS)];
    await (key ? this.#revoke(key) : this.#create());
  }

  async #create(): Promise<void> {
    const name = `key-${this.#deps.ledger.takeNextNumber()}`;
    const response = await this.#deps.ledger.write(this.#deps.client, {
      path: "/api/admin/api-keys",
      request: { method: "POST", json: { name } },
      begin: (requestId) => [this.#deps.ledger.keys.begin(name, "in force", requestId)],
      lines: 1,
    });
    if (response) this.#deps.ledger.secrets.set(name, made.parse(JSON.parse(response.bytes.toString())));
  }

  async #revoke({ name, id }: { name: string; id: string }): Promise<void> {
    await this.#deps.ledger.write(this.#deps.client, {
      path: `/api/admin/api-keys/${id}`,
      request: { method: "DELETE" },
      begin: (requestId) => [this.#deps.ledger.keys.begin(name, undefined, requestId)],
      lines: 1,
    });
  }
}
