/** The events of changes of the catalogue, for the outbox. */
import type { Change } from "./change.ts";
import type { OutboxEvent } from "./outbox.repository.ts";

/** One event a book, and one for all languages, channels and visibilities. */
export function listCatalogueEvents(changes: readonly Change[], at: number): OutboxEvent[] {
  const books = new Set(changes.map(findBook).filter((id) => id !== undefined));
  const events: OutboxEvent[] = [...books].map((bookId) => ({ event: "book.changed", at, bookId }));
  const concerned = changes.filter(({ object }) => WHOLE.includes(object.kind));
  if (concerned.length === 0) return events;
  const codes = new Set(concerned.flatMap(listCodes));
  // A channel is one of all languages, which are read when the event is sent.
  const isOfAll = concerned.some(({ object }) => object.kind === "channel");
  const details = isOfAll ? {} : { languageCodes: [...codes] };
  return [...events, { event: "catalogue.changed", at, details }];
}

const WHOLE: readonly Change["object"]["kind"][] = ["language", "channel", "visibility"];

/** The book of which a record is a part. An order of all books is no change of a book. */
function findBook({ object: { kind, id }, before, after }: Change): string | undefined {
  if (kind === "book") return id === "*" ? undefined : String(id);
  if (kind === "publication") return String(id);
  if (kind !== "translation" && kind !== "file" && kind !== "cover") return undefined;
  return readText(after ?? before, "bookId");
}

/** A code that was changed is also that of the language before. */
function listCodes({ object, before, after }: Change): string[] {
  if (object.kind === "visibility") return [object.name];
  return [readText(before, "code"), readText(after, "code")].filter((code) => code !== undefined);
}

function readText(row: object | undefined, field: string): string | undefined {
  const value: unknown = row && Reflect.get(row, field);
  return typeof value === "string" ? value : undefined;
}
