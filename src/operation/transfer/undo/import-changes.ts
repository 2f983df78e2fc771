/** Which books an import has made and changed, and where the audit log has what they were before. */
import { z } from "zod";
import type { AuditCursor, AuditRow } from "../../../repositories/audit.repository.ts";
import type { CatalogueRepositories, ReportRepositories } from "../../../repositories/index.ts";
import { auditChanges } from "../../../schemas/audit.schemas.ts";

/** Without the changes themselves: thousands of books have megabytes of texts. */
export interface BookChanges {
  bookId: string;
  /** The row of the log that has its creation; undefined for a book that the service had before. */
  madeIn: number | undefined;
  /** The rows about it, its files and its covers, oldest first. */
  rowIds: number[];
  addedFileIds: string[];
}

interface ChangesDeps {
  reads: Pick<CatalogueRepositories, "files" | "covers">;
  /** On a worker thread. */
  report: Pick<ReportRepositories, "audit">;
}

const KINDS = ["book", "file", "cover"];
const ROWS_AT_ONCE = 500;

export type LoggedChanges = z.infer<typeof auditChanges>;

export const readLogged = (row: AuditRow): LoggedChanges => auditChanges.parse(JSON.parse(row.changes));

/** @param requestIds of the requests that have started the import, oldest first @returns in the order of the import */
export async function listChangedBooks(
  deps: ChangesDeps,
  requestIds: readonly string[],
): Promise<BookChanges[]> {
  const books = new Map<string, BookChanges>();
  for (const requestId of requestIds) {
    let after: AuditCursor | undefined;
    for (;;) {
      const rows = await deps.report.audit.listOfRequest(requestId, {
        kinds: KINDS,
        after,
        limit: ROWS_AT_ONCE,
      });
      for (const row of rows) {
        const bookId = await findBookOf(deps, row);
        if (bookId !== undefined) addRow(books, bookId, row);
      }
      after = rows.at(-1);
      if (rows.length < ROWS_AT_ONCE) break;
    }
  }
  return [...books.values()];
}

function addRow(books: Map<string, BookChanges>, bookId: string, row: AuditRow): void {
  const known = books.get(bookId) ?? { bookId, madeIn: undefined, rowIds: [], addedFileIds: [] };
  books.set(bookId, known);
  known.rowIds.push(row.id);
  if (row.objectKind === "book" && row.action === "create") known.madeIn = row.id;
  if (row.objectKind === "file" && row.action === "create") known.addedFileIds.push(row.objectId);
}

/** Undefined for a record that was deleted since. */
async function findBookOf({ reads }: ChangesDeps, row: AuditRow): Promise<string | undefined> {
  const { objectKind, objectId } = row;
  if (objectKind === "book") return objectId;
  if (row.action === "create") return z.string().safeParse(readLogged(row).bookId?.after).data;
  const record = objectKind === "file" ? await reads.files.find(objectId) : await reads.covers.find(objectId);
  return record?.bookId;
}
