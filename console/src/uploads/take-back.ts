/** Takes out of a book again what the queue has stored there. */
import { Problem, type Schemas } from "../api/client.ts";
import { listFormer } from "../books/former-contents.ts";
import { removeCover, removeFile, updateFile } from "../books/queries.ts";
import type { Place, QueueItem } from "./queue.ts";

type Details = Pick<Schemas["BookDetails"], "book" | "files" | "covers">;

/**
 * What was there before is used again.
 * @param details of the book as it is now
 * @throws Problem with 412 if somebody has changed it meanwhile
 */
export async function takeBack(details: Details, place: Place, { sha256 }: QueueItem): Promise<void> {
  const { bookId, fileId, languageCode } = place;
  if (fileId === "") return takeCoverBack(details, languageCode || "default");
  const file = details.files.find(({ id }) => id === fileId);
  if (!file) return;
  if (file.sha256 !== sha256 || file.languageCode !== languageCode)
    throw new Problem(412, { code: "changed_meanwhile" });
  const former = file.isActive ? findFormer(details, file) : undefined;
  if (former) await updateFile(bookId, former, { isActive: 1 });
  await removeFile(bookId, fileId);
}

/** The file that was put aside when this one was made, in one step. */
const findFormer = ({ files }: Details, { createdAt, languageCode, fileType }: Schemas["BookFile"]) =>
  files.find(
    (file) =>
      !file.isActive &&
      file.updatedAt === createdAt &&
      file.languageCode === languageCode &&
      file.fileType === fileType,
  );

async function takeCoverBack(details: Details, code: string): Promise<void> {
  const cover = details.covers.find(({ languageCode }) => languageCode === code);
  if (!cover) return;
  const former = listFormer(details, code).find(
    ({ kind, replacedAt }) => kind === "cover" && replacedAt === cover.updatedAt,
  );
  await (former ? former.bringBack() : removeCover(details.book.id, code));
}
