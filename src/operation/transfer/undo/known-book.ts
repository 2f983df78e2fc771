/** What an import has changed of a book that the service had before, from the audit log. */
import { z } from "zod";
import type { AuditRow } from "../../../repositories/audit.repository.ts";
import { type LoggedChanges, readLogged } from "./import-changes.ts";
import { addSpan, type Spans } from "./spans.ts";

/** An uploaded file, or the image of a cover; a link has no bytes. */
export interface ContentSpan {
  id: string;
  kind: "file" | "cover";
  before: LoggedContent | undefined;
  after: LoggedContent;
}

const loggedContent = z.object({
  sha256: z.string().nullable().optional(),
  fileName: z.string().optional(),
  cloudUrl: z.string().nullable().optional(),
  sourceType: z.string().optional(),
  fileSizeBytes: z.number().optional(),
});
export type LoggedContent = z.infer<typeof loggedContent>;

const loggedLink = z.object({
  languageCode: z.string(),
  fileType: z.string(),
  sourceType: z.string(),
  cloudUrl: z.string().nullable(),
  fileName: z.string(),
  fileSizeBytes: z.number(),
});
type LoggedLink = z.infer<typeof loggedLink>;

export interface LinkSpan {
  before: LoggedLink | undefined;
  after: LoggedLink;
}

const loggedTranslation = z.looseObject({ languageCode: z.string() });
type LoggedTranslation = z.infer<typeof loggedTranslation>;

export interface EditionSpan {
  /** Whether the import has made the edition. */
  isNew: boolean;
  fields: Spans;
}

export interface KnownBookChanges {
  fields: Spans;
  editions: Map<string, EditionSpan>;
  links: Map<string, LinkSpan>;
  contents: Map<string, ContentSpan>;
  /** Whether the log has only the beginning of a list of editions or links. */
  isCut: boolean;
}

/** Lists of parts in the row of a book, which aren't fields of it. */
const PARTS = new Set(["translations", "files", "coverImagePath"]);

/** @param rows oldest first */
export function collectChanges(rows: readonly AuditRow[]): KnownBookChanges {
  const changes: KnownBookChanges = {
    fields: new Map(),
    editions: new Map(),
    links: new Map(),
    contents: new Map(),
    isCut: false,
  };
  for (const row of rows) {
    const logged = readLogged(row);
    if (row.objectKind === "book") addBookRow(changes, logged);
    else addContentRow(changes, row, logged);
  }
  return changes;
}

function addBookRow(changes: KnownBookChanges, logged: LoggedChanges): void {
  for (const [field, { before, after }] of Object.entries(logged))
    if (!PARTS.has(field)) addSpan(changes.fields, field, { before, after });
  const { translations, files } = logged;
  const editions = readSides(loggedTranslation, translations);
  const links = readSides(loggedLink, files);
  changes.isCut ||= editions === undefined || links === undefined;
  if (editions) addEditions(changes, editions);
  for (const after of links?.after ?? []) {
    const place = `${after.languageCode} ${after.fileType}`;
    const isHere = (link: LoggedLink) => `${link.languageCode} ${link.fileType}` === place;
    const known = changes.links.get(place);
    changes.links.set(place, { before: known ? known.before : links?.before.find(isHere), after });
  }
}

function addEditions(
  { editions }: KnownBookChanges,
  { before, after }: { before: LoggedTranslation[]; after: LoggedTranslation[] },
): void {
  for (const { languageCode, ...now } of after) {
    const former = before.find((each) => each.languageCode === languageCode);
    const known = editions.get(languageCode) ?? { isNew: former === undefined, fields: new Map() };
    editions.set(languageCode, known);
    const { languageCode: _, ...then } = former ?? { languageCode };
    const values: Record<string, unknown> = then;
    for (const field of new Set([...Object.keys(values), ...Object.keys(now)]))
      addSpan(known.fields, field, { before: values[field], after: now[field] });
  }
}

/** Undefined if the log has only the beginning of one of them. */
function readSides<T>(schema: z.ZodType<T>, sides: LoggedChanges[string] | undefined) {
  if (!sides) return { before: [], after: [] };
  const list = z.array(schema);
  const before = list.safeParse(sides.before ?? []);
  const after = list.safeParse(sides.after ?? []);
  return before.success && after.success ? { before: before.data, after: after.data } : undefined;
}

function addContentRow(changes: KnownBookChanges, row: AuditRow, logged: LoggedChanges): void {
  const kind = row.objectKind === "cover" ? "cover" : "file";
  const readSide = (side: "before" | "after") =>
    loggedContent.parse(
      Object.fromEntries(Object.entries(logged).map(([field, each]) => [field, each[side]])),
    );
  const before = row.action === "create" ? undefined : readSide("before");
  const after = readSide("after");
  const known = changes.contents.get(row.objectId);
  const first = known ? known.before : before;
  changes.contents.set(row.objectId, {
    id: row.objectId,
    kind,
    before: first,
    after: { ...known?.after, ...after },
  });
}
