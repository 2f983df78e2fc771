/** `export <folder>`: writes the catalogue with its files and covers into a folder. Also works while a server runs. */
import { resolve } from "node:path";
import { readConfig } from "../config.ts";
import { assertDatabase } from "../db/open-database.ts";
import { LibraryExport } from "../operation/transfer/export.ts";
import { formatCount } from "../operation/transfer/remarks.ts";
import type { Call } from "./command.ts";
import { createProgress } from "./progress.ts";
import { withContainer } from "./with-container.ts";

export async function exportFolder({ args: [given = ""] }: Call): Promise<number> {
  const config = readConfig();
  await assertDatabase(config);
  const folder = resolve(given);
  using progress = createProgress(process.stderr);
  const { failures, ...counts } = await withContainer(config, (container) =>
    new LibraryExport({ ...container, progress }, folder).run(),
  );
  for (const { subject, reason } of failures) process.stderr.write(`Failed: ${subject}: ${reason}\n`);
  const [books, files] = [formatCount(counts.books, "book"), formatCount(counts.files, "file")];
  const covers = formatCount(counts.covers, "cover");
  process.stdout.write(`Exported ${books}, ${files} and ${covers} to ${folder}.\n`);
  return failures.length === 0 ? 0 : 1;
}
