/** Somebody who makes API keys, uses them and revokes them. */
import { z } from "zod";
import type { RandomInt } from "../../../test/support/seeded-random.ts";
import type { ServiceClient } from "../../lib/service-client.ts";
import type { Scene } from "../scene.ts";

const MAX_KEYS = 6;

const made = z.object({ id: z.string(), key: z.string() });

export class KeyWorker {
  readonly #scene: Scene;
  readonly #admin: ServiceClient;
  readonly #roll: RandomInt;

  constructor(deps: { scene: Scene; admin: ServiceClient; roll: RandomInt }) {
    this.#scene = deps.scene;
    this.#admin = deps.admin;
    this.#roll = deps.roll;
  }

  async act(): Promise<void> {
    // Of a key whose making was cut off only the service knows what it is.
    const known = this.#scene.keys.keys.flatMap((name) => {
      const secret = this.#scene.secrets.get(name);
      return secret ? [{ name, id: secret.id }] : [];
    });
    const key = known[this.#roll(MAX_KEYS)];
    await (key ? this.#revoke(key) : this.#create());
  }

  async #create(): Promise<void> {
    const name = `key-${this.#scene.nextNumber()}`;
    const response = await this.#scene.write(this.#admin, {
      path: "/api/admin/api-keys",
      request: { method: "POST", json: { name } },
      begin: (requestId) => [this.#scene.keys.begin(name, "in force", requestId)],
      lines: 1,
    });
    if (response) this.#scene.secrets.set(name, made.parse(JSON.parse(response.bytes.toString())));
  }

  async #revoke({ name, id }: { name: string; id: string }): Promise<void> {
    await this.#scene.write(this.#admin, {
      path: `/api/admin/api-keys/${id}`,
      request: { method: "DELETE" },
      begin: (requestId) => [this.#scene.keys.begin(name, undefined, requestId)],
      lines: 1,
    });
  }
}
