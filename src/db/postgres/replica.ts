/** The replica of DATABASE_REPORT_URL, which is used only while it belongs to the same database as the primary. */
import type pg from "pg";
import { isReplicaOf } from "../installation.ts";
import { connect, giveBack } from "./connection.ts";
import { createKyselyOn, createPostgresKysely } from "./kysely.ts";

/** How long a comparison holds: what the replica has too much is read for no longer. */
const COMPARED_MS = 1000;

interface ReplicaDeps {
  primary: pg.Pool;
  /** The same pool if there is no replica. */
  replica: pg.Pool;
}

export class Replica {
  readonly #deps: ReplicaDeps;
  readonly #isNeeded: boolean;
  #comparing: Promise<boolean> | undefined;
  #comparedAt = Number.NEGATIVE_INFINITY;

  /** @param isThere whether there is one: otherwise the primary is used */
  constructor(deps: ReplicaDeps, isThere: boolean) {
    this.#deps = deps;
    this.#isNeeded = isThere;
  }

  /**
   * A replica that wasn't told of a fail-over, or was itself promoted or restored, has rows that the primary doesn't have:
   * then the primary is read, as without a replica. Likewise while the replica doesn't respond.
   */
  isUsable(): Promise<boolean> {
    const now = performance.now();
    if (!this.#comparing || now - this.#comparedAt > COMPARED_MS) {
      this.#comparedAt = now;
      this.#comparing = this.#isNeeded ? this.#compare().catch(() => false) : Promise.resolve(true);
    }
    return this.#comparing;
  }

  /** Chooses for each statement. */
  createKysely() {
    const { primary, replica } = this.#deps;
    return createKyselyOn({
      acquire: async () => connect((await this.isUsable()) ? replica : primary),
      release: (client) => giveBack(client),
    });
  }

  #compare(): Promise<boolean> {
    const { primary, replica } = this.#deps;
    return isReplicaOf(createPostgresKysely(primary), createPostgresKysely(replica));
  }
}
