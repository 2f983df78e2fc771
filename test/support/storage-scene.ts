/** A service whose files are in the S3 store of the run, or in that of STORAGE_URL, with one published text and a link to it. */
import type { Scheduler } from "../../src/adapters/system.ts";
import { startApp } from "./app.ts";
import { onS3 } from "./on-s3.ts";
import { linkTo } from "./reader.ts";
import { openBucket } from "./s3-bucket.ts";

export const TEXT = "0123456789abcdef".repeat(64);

export async function createStorageScene(
  variables: Record<string, string> = {},
  given: { schedule?: Scheduler } = {},
) {
  const settings = { ...(variables.STORAGE_URL === undefined && onS3()), ...variables };
  const app = await startApp(settings, given);
  const { book, file } = await app.make.published("The Well", "en", TEXT);
  const link = await linkTo(app.api, { slug: "the-well", languageCode: "en" });
  const files = `/api/admin/books/${book.id}/files`;
  const admin = await app.admin();
  /** Adds a file to the book, in English. */
  const upload = (bytes: Buffer, name: string, fields = {}) =>
    admin.upload("post", files, { fields: { languageCode: "en", ...fields }, file: { bytes, name } });
  return { app, api: app.api, admin, book, file, link, files, upload, bucket: openBucket(settings) };
}
