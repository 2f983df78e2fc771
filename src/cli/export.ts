/** `export <folder>`: writes the catalogue with its files and covers, or as pages, into a folder. Also works while a server runs. */
import { resolve } from "node:path";
import { z } from "zod";
import { type Config, readConfig } from "../config.ts";
import { assertDatabase } from "../db/open-database.ts";
import { LibraryExport } from "../operation/transfer/export.ts";
import { HtmlExport } from "../operation/transfer/html-export.ts";
import { formatCount } from "../operation/transfer/remarks.ts";
import type { Call } from "./command.ts";
import { createProgress } from "./progress.ts";
import { withContainer } from "./with-container.ts";

/** That of the consent text of the public page, where CONSENT_TEXT_VERSIONS names none. */
export const SITE_TEXT_VERSION = "2026-11";

const exportOptions = z.object({ html: z.boolean().default(false) });

export async function exportFolder({ args: [given = ""], options }: Call): Promise<number> {
  const { html } = exportOptions.parse(options);
  const config = readConfig();
  await assertDatabase(config);
  const folder = resolve(given);
  return html ? exportPages(config, folder) : exportLibrary(config, folder);
}

async function exportPages(config: Config, folder: string): Promise<number> {
  const forms = {
    serviceUrl: config.publicBaseUrl?.replace(/\/$/, "") ?? "",
    textVersion: config.consentTextVersions.at(-1) ?? SITE_TEXT_VERSION,
  };
  const { languages, editions } = await withContainer(config, ({ services }) =>
    new HtmlExport({ services, forms }, folder).run(),
  );
  const contents = `${formatCount(languages, "language")} with ${formatCount(editions, "edition")}`;
  process.stdout.write(`Exported the pages of ${contents} to ${folder}.\n`);
  return 0;
}

async function exportLibrary(config: Config, folder: string): Promise<number> {
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
