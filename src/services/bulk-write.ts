/** Writes what an item of a bulk request changes, and tells the audit log. */
import type { BookFilesTable, TranslationsTable } from "../db/schema.ts";
import { batchesOf } from "../lib/batches.ts";
import type { Change } from "../repositories/change.ts";
import type { Repositories } from "../repositories/index.ts";
import { bookObject } from "./book-rows.ts";
import type { BulkPlan } from "./bulk-plan.ts";

/** Each number of rows is a statement of its own, and statements are kept: few kinds of them, none of them long. */
const ROWS_A_STATEMENT = 10;

/** @returns undefined when everything is already as it should be */
export async function carryOut(repositories: Repositories, plan: BulkPlan): Promise<Change | undefined> {
  const { before, after } = plan.book;
  if (before === after && plan.translations.length + plan.files.length === 0) return undefined;
  if (!before) await repositories.books.insert(after);
  else if (after !== before) await repositories.books.update(after.id, after);
  await writeTranslations(repositories, plan);
  await writeFiles(repositories, plan);
  return {
    action: before ? "update" : "create",
    object: bookObject(after),
    ...(before && { before: { ...before, ...partsTold(plan, "before") } }),
    after: { ...after, ...partsTold(plan, "after") },
  };
}

async function writeTranslations({ translations }: Repositories, plan: BulkPlan): Promise<void> {
  for (const { before, after } of plan.translations) if (before) await translations.update(after.id, after);
  const added = plan.translations.filter(({ before }) => !before).map(({ after }) => after);
  for (const rows of batchesOf(added, ROWS_A_STATEMENT)) await translations.insert(...rows);
}

async function writeFiles({ files }: Repositories, plan: BulkPlan): Promise<void> {
  const added: BookFilesTable[] = [];
  for (const { before, after } of plan.files) {
    if (before?.id === after.id) await files.update(after.id, after);
    else {
      if (before) await files.deactivateAt(after, after.createdAt);
      added.push(after);
    }
  }
  for (const rows of batchesOf(added, ROWS_A_STATEMENT)) await files.insert(...rows);
}

/** The parts that change, on one side of it. */
const partsTold = ({ translations, files }: BulkPlan, side: "before" | "after") => ({
  translations: translations.flatMap((part) => translationTold(part.languageCode, part[side]) ?? []),
  files: files.flatMap((part) => fileTold(part.languageCode, part[side]) ?? []),
});

const translationTold = (languageCode: string, row: TranslationsTable | undefined) =>
  row && { languageCode, title: row.title, description: row.description };

function fileTold(languageCode: string, row: BookFilesTable | undefined) {
  if (!row) return undefined;
  const { fileType, sourceType, cloudUrl, fileName, fileSizeBytes } = row;
  return { languageCode, fileType, sourceType, cloudUrl, fileName, fileSizeBytes };
}
