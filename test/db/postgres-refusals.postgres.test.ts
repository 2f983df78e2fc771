/** A PostgreSQL server that refuses connections for reasons that an operator mends: 503 until then, and no restart. */
import { expect, inject, it, onTestFinished } from "vitest";
import { onServer } from "../../tools/lib/postgres-process.ts";
import { startApp } from "../support/app.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { contact } from "../support/factory.ts";
import { createTempFolder } from "../support/temp-folder.ts";
import { addDatabase, createDatabaseSettings } from "../support/test-database.ts";

/** An application that connects as a role of its own, with a published book. */
async function start() {
  const server = inject("postgres")?.url ?? "";
  const dataDir = createTempFolder();
  addDatabase(dataDir);
  const { DATABASE_URL = "" } = await createDatabaseSettings(dataDir);
  const url = new URL(DATABASE_URL);
  const database = url.pathname.slice(1);
  const role = `${database}_role`;
  await onServer(server, (client) => client.query(`create role ${role} superuser login`));
  // After the end of the application.
  onTestFinished(() => onServer(server, async (client) => void (await client.query(`drop role ${role}`))));
  url.username = role;
  const app = await startApp({ DATABASE_URL: String(url), DATABASE_REPORT_URL: String(url) }, { dataDir });
  const endConnections = "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1";
  const run = (sql: string) =>
    onServer(server, async (client) => {
      await client.query(sql);
      await client.query(endConnections, [role]);
    });
  const { book } = await app.make.published("The Deep Well", "es");
  return { app, database, role, run, form: { slug: book.slug, languageCode: "es", contact } };
}

type Scene = Awaited<ReturnType<typeof start>>;

it.each<[string, (scene: Scene) => [refuse: string, mend: string]]>([
  [
    "28000: the role may not log in",
    ({ role }) => [`alter role ${role} nologin`, `alter role ${role} login`],
  ],
  [
    "55000: the database accepts no connections",
    ({ database }) => [
      `alter database ${database} with allow_connections false`,
      `alter database ${database} with allow_connections true`,
    ],
  ],
  [
    "53300: the role has all its connections",
    ({ role }) => [
      `alter role ${role} nosuperuser connection limit 0`,
      `alter role ${role} superuser connection limit -1`,
    ],
  ],
])("%s", async (_, changesOf) => {
  const scene = await start();
  const { app, run, form } = scene;
  const [refuse, mend] = changesOf(scene);
  const admin = await app.admin();
  const requests = [
    () => app.api.get("/api/books?languageCode=es"),
    () => app.api.post("/api/download/submit", form),
    () => admin.get("/api/admin/analytics/downloads/export"),
  ];
  await run(refuse);
  for (const request of requests) {
    // The first one can meet a connection that has just ended.
    await eventually(async () => {
      const response = await request();
      expectProblem(response, 503, { code: "database_unavailable" });
      expect(response.headers["retry-after"]).toBe("5");
    });
  }
  await run(mend);
  for (const request of requests) await eventually(async () => expect((await request()).status).toBe(200));
});
