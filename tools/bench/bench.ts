/** All measurements, side by side in one run: `npm run bench`, or `npm run bench -- submits bulk` for some of them. */
import type { BenchRow } from "./row.ts";

const MEASUREMENTS: Readonly<Record<string, () => Promise<{ run(): Promise<BenchRow[]> }>>> = {
  "public-list": () => import("./public-list.ts"),
  library: () => import("./library.ts"),
  accel: () => import("./accel.ts"),
  submits: () => import("./submits.ts"),
  postgres: () => import("./postgres.ts"),
  sizing: () => import("./sizing.ts"),
  bulk: () => import("./bulk.ts"),
  search: () => import("./search.ts"),
  released: () => import("./released.ts"),
  growth: () => import("./growth.ts"),
  exports: () => import("./exports.ts"),
  analytics: () => import("./analytics.ts"),
  "analytics-postgres": () => import("./analytics-postgres.ts"),
  people: () => import("./people.ts"),
  outbox: () => import("./outbox.ts"),
  backup: () => import("./backup.ts"),
  soak: () => import("./soak.ts"),
  console: () => import("./console.ts"),
  versions: () => import("./versions.ts"),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  console.error(
    `There is no measurement ${unknown.join(", ")}. There are: ${Object.keys(MEASUREMENTS).join(", ")}`,
  );
  process.exit(64);
}

for (const [name, load] of Object.entries(MEASUREMENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  const { run } = await load();
  const rows = await run();
  console.table(rows);
  if (!rows.every((row) => row.ok)) process.exitCode = 1;
}
