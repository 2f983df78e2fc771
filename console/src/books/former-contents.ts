/** What a language of a book had before: contents that were replaced, and files in whose place another one is used. */
import { api, receive, type Schemas } from "../api/client.ts";
import { sendJson } from "../api/send-form.ts";
import { coverPath, filePath, removeFile, updateFile } from "./queries.ts";

type Details = Pick<Schemas["BookDetails"], "book" | "files" | "covers">;
type Replaced = Schemas["ReplacedContent"];

export interface FormerContent {
  /** Differs between all that a book had before. */
  key: string;
  kind: "file" | "cover";
  fileName: string;
  fileSizeBytes: number;
  /** When something else was put in its place, ISO 8601. */
  replacedAt: string;
  /** The name of who did; undefined where only the audit log has it. */
  replacedBy: string | undefined;
  /** Until when the service keeps it, ISO 8601; undefined without an end. */
  keptUntil: string | undefined;
  /** @throws Problem with 412 if its file was changed since it was read */
  bringBack(): Promise<unknown>;
  removeForGood(): Promise<unknown>;
}

/** Newest first. @param code of a language, or `default` for the cover without one */
export function listFormer({ book, files, covers }: Details, code: string): FormerContent[] {
  const inLanguage = files.filter(({ languageCode }) => languageCode === code);
  const found = [
    ...inLanguage.flatMap((file) => (file.isActive ? replacedOf(book.id, file) : formerFile(book.id, file))),
    ...covers.flatMap((cover) => (cover.languageCode === code ? replacedCovers(book.id, cover) : [])),
  ];
  return found.toSorted((one, other) => other.replacedAt.localeCompare(one.replacedAt));
}

const replacedOf = (bookId: string, { id: fileId, version, replaced }: Schemas["BookFile"]) =>
  replaced.map((content) =>
    formerContent("file", content, fileId, {
      bringBack() {
        const { sha256, fileName } = content;
        return sendJson("PUT", filePath(bookId, fileId), { sha256, fileName }, version);
      },
      removeForGood: () =>
        receive(
          api.DELETE("/api/admin/books/{bookId}/files/{fileId}/replaced/{sha256}", {
            params: { path: { bookId, fileId, sha256: content.sha256 } },
          }),
        ),
    }),
  );

const replacedCovers = (bookId: string, { languageCode, replaced }: Schemas["CoverMetadata"]) =>
  replaced.map((content) =>
    formerContent("cover", content, languageCode, {
      bringBack: () => sendJson("PUT", coverPath(bookId, languageCode), { sha256: content.sha256 }),
      removeForGood: () =>
        receive(
          api.DELETE("/api/admin/books/{bookId}/covers/{languageCode}/replaced/{sha256}", {
            params: { path: { bookId, languageCode, sha256: content.sha256 } },
          }),
        ),
    }),
  );

const formerContent = (
  kind: FormerContent["kind"],
  { sha256, fileName, fileSizeBytes, replacedAt, replacedBy, until }: Replaced,
  place: string,
  actions: Pick<FormerContent, "bringBack" | "removeForGood">,
): FormerContent => ({
  key: `${place} ${sha256} ${replacedAt}`,
  kind,
  fileName,
  fileSizeBytes,
  replacedAt,
  replacedBy,
  keptUntil: until,
  ...actions,
});

const formerFile = (bookId: string, file: Schemas["BookFile"]): FormerContent => ({
  key: file.id,
  kind: "file",
  fileName: file.fileName,
  fileSizeBytes: file.fileSizeBytes,
  replacedAt: file.updatedAt,
  replacedBy: undefined,
  keptUntil: undefined,
  bringBack: () => updateFile(bookId, file, { isActive: 1 }),
  removeForGood: () => removeFile(bookId, file.id),
});
