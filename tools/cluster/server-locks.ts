/** Who holds which lock in PostgreSQL, so that a phase can stop exactly that process. */
import pg from "pg";
import { z } from "zod";
import { WRITER } from "../../src/db/postgres/locks.ts";

const holders = z.array(z.object({ pid: z.number(), name: z.string(), state: z.string() }));
type Holder = z.output<typeof holders>[number];

const HOLDERS = `
  select pid, application_name as name, coalesce(state, '') as state
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid = $1 and (granted or $2)`;

export class ServerLocks {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 1, application_name: "cluster drill" });
    // A restart of the server ends an idle connection, too.
    this.#pool.on("error", () => {});
  }

  /** The connection that alone may write. */
  async findWriter(): Promise<Holder | undefined> {
    const [holder] = await this.#findHolders({ waits: false });
    return holder;
  }

  /** All that may write, or wait for it. */
  findWritersAndWaiting(): Promise<Holder[]> {
    return this.#findHolders({ waits: true });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #findHolders({ waits }: { waits: boolean }): Promise<Holder[]> {
    const { rows } = await this.#pool.query(HOLDERS, [WRITER, waits]);
    return holders.parse(rows);
  }
}
