import { join } from "node:path";
import { CompiledQuery, Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Schema } from "../../src/db/schema.ts";
import { openWriter } from "../../src/db/sqlite/connection.ts";
import { reportDialect, reportThread } from "../../src/db/sqlite/report-thread.ts";
import { countTo } from "../support/count-to.ts";
import { readPrinted } from "../support/run-cli.ts";
import { createTempFolder } from "../support/temp-folder.ts";

function reportOn(file: string): Kysely<Schema> {
  const report = new Kysely<Schema>({ dialect: reportDialect(reportThread(file)) });
  onTestFinished(() => report.destroy());
  return report;
}

function setUp() {
  const file = join(createTempFolder(), "a.sqlite");
  const writer = openWriter(file);
  onTestFinished(() => {
    writer.close();
  });
  writer.exec("create table t (a); insert into t values ('before')");
  return { file, writer, report: reportOn(file) };
}

describe("a query to the report handle", () => {
  it("shows committed data, with values of every type as parameters and results", async () => {
    const { writer, report } = setUp();
    writer.exec("insert into t values ('after')");
    expect((await sql`select a from t`.execute(report)).rows).toEqual([{ a: "before" }, { a: "after" }]);
    const values = {
      text: "Ünï — العربية 中文 हिन्दी 𝒜",
      empty: "",
      quotes: `'"%_\\`,
      none: null,
      small: -1,
      large: Number.MAX_SAFE_INTEGER,
      least: Number.MIN_SAFE_INTEGER,
      real: 0.1,
      blob: new Uint8Array([0, 1, 255]),
    };
    const columns = Object.entries(values).map(([name, value]) => sql`${value} as ${sql.id(name)}`);
    const { rows } = await sql`select ${sql.join(columns)}`.execute(report);
    expect(rows).toEqual([values]);
    const { rows: counted } = await sql`select ${10n} + 1 as n`.execute(report);
    expect(counted).toEqual([{ n: 11 }]);
  });

  it("can have a large result", async () => {
    const { report } = setUp();
    const { rows } = await sql<{ i: number; s: string }>`
      with recursive c(i) as (select 1 union all select i + 1 from c where i < 50000)
      select i, printf('row %d', i) as s from c`.execute(report);
    expect(rows).toHaveLength(50_000);
    expect(rows.at(-1)).toEqual({ i: 50_000, s: "row 50000" });
  });

  it("gets its own result, even among many concurrent ones", async () => {
    const { report } = setUp();
    const asked = Array.from({ length: 40 }, (_, index) => index);
    const responses = await Promise.all(
      asked.map(async (index) => {
        const question = index % 4 === 3 ? sql`select a from nowhere` : sql`select ${index} as n`;
        return question.execute(report).then(
          ({ rows: [row] }) => row,
          (error: Error) => error.message,
        );
      }),
    );
    expect(responses).toEqual(asked.map((n) => (n % 4 === 3 ? "no such table: nowhere" : { n })));
  });

  it("leaves the event loop free while it runs", async () => {
    const { report } = setUp();
    await countTo(1).execute(report);
    let longestGap = 0;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      longestGap = Math.max(longestGap, now - last);
      last = now;
    };
    const ticking = setInterval(tick, 5);
    const start = performance.now();
    const { rows } = await countTo(4_000_000).execute(report);
    const took = performance.now() - start;
    tick();
    clearInterval(ticking);
    expect(rows).toEqual([{ n: 4_000_000 }]);
    expect(took).toBeGreaterThan(50);
    // On the main thread it would be one gap of the whole length.
    expect(longestGap).toBeLessThan(took / 2);
  });
});

describe("a failing query", () => {
  it("is rejected with the error, and the next one succeeds", async () => {
    const { report } = setUp();
    await expect(sql`select a from nowhere`.execute(report)).rejects.toThrow("no such table: nowhere");
    await expect(sql`select ${Symbol("a")} as a`.execute(report)).rejects.toThrow("could not be cloned");
    await expect(sql`select ${{ a: 1 }} as a`.execute(report)).rejects.toThrow("Too few parameter values");
    expect((await countTo(3).execute(report)).rows).toEqual([{ n: 3 }]);
  });

  it("changes nothing if it would write", async () => {
    const { writer, report } = setUp();
    for (const write of [
      sql`insert into t values (1) returning a`,
      sql`insert into t values (1)`,
      sql`drop table t`,
    ]) {
      await expect(write.execute(report)).rejects.toThrow(/readonly|does not return data/);
    }
    await expect(report.transaction().execute(async () => {})).rejects.toThrow("only reads");
    expect(writer.prepare("select a from t").pluck().all()).toEqual(["before"]);
  });

  it("is rejected if the worker has crashed, and the next one gets a new worker", async () => {
    const { file, report } = setUp();
    await countTo(1).execute(report);
    const crashing = Object.assign({}, CompiledQuery.raw(""), { sql: 42 });
    const crashed = report.executeQuery(crashing);
    // Asked before the end of the old worker is heard of: it must not be told that it has stopped.
    const next = crashed.catch(() => countTo(3).execute(report));
    await expect(crashed).rejects.toThrow();
    expect(await next).toMatchObject({ rows: [{ n: 3 }] });

    const missing = reportOn(`${file}-missing`);
    await expect(countTo(1).execute(missing)).rejects.toThrow("unable to open database file");
    openWriter(`${file}-missing`).close();
    expect((await countTo(4).execute(missing)).rows).toEqual([{ n: 4 }]);
  });

  it("is rejected if the handle is closed", async () => {
    const { report } = setUp();
    await countTo(1).execute(report);
    await report.destroy();
    await expect(countTo(1).execute(report)).rejects.toThrow("already been destroyed");
  });
});

describe("the process", () => {
  it("waits for a result, and ends by itself if none is pending", async () => {
    const { file } = setUp();
    const [dialect, kysely] = ["../../src/db/sqlite/report-thread.ts", import.meta.resolve("kysely")].map(
      (module) => new URL(module, import.meta.url).href,
    );
    const script = `import { Kysely, sql } from ${JSON.stringify(kysely)};
      import { reportDialect, reportThread } from ${JSON.stringify(dialect)};
      const report = new Kysely({ dialect: reportDialect(reportThread(${JSON.stringify(file)})) });
      sql\`select a from t\`.execute(report).then(({ rows }) => console.log(JSON.stringify(rows)));`;
    expect(await readPrinted(script)).toBe('[{"a":"before"}]\n');
  });
});
