// One reader asks for one book, downloads it, and resumes an interrupted transfer.

import { expectStatus, type Response, type ServiceClient } from "../../lib/service-client.ts";
import type { DemoFile } from "../files.ts";
import { hashBytes, type Loaded } from "../load.ts";
import { formatByteCount, type Report } from "../print.ts";
import * as responses from "../responses.ts";
import { expectSame, present } from "./expect.ts";

export const oneBookRequest = { slug: "a-well-for-everyone", languageCode: "hi", fileType: "epub" };
export const reader = { firstName: "Asha", email: "asha@example.org" };

export async function downloadOneBook(report: Report, loaded: Loaded): Promise<void> {
  report.heading("One book");
  const { slug, languageCode, fileType } = oneBookRequest;
  const source = present(
    loaded.files.find(
      (file) => file.slug === slug && file.languageCode === languageCode && file.fileType === fileType,
    ),
    "the demo has no such file",
  );
  const url = await report.step("Request a link", () => ask(loaded.reader, source));
  const whole = await report.step("Download the file", () => download(loaded.reader, url, source));
  await report.step("Resume from the middle", () => resume(loaded.reader, url, whole));
}

async function ask(client: ServiceClient, source: DemoFile) {
  const link = await client.post(
    "/api/download/submit",
    { ...oneBookRequest, contact: reader },
    200,
    responses.downloadLink,
  );
  expectSame(link.fileName, source.fileName, "the file's name");
  expectSame(link.fileSizeBytes, source.bytes.length, "the file's size");
  const minutes = (Date.parse(link.expiresAt) - Date.now()) / 60_000;
  return {
    result: `works for ${minutes.toFixed(0)} minutes`,
    details: [link.fileName],
    value: link.downloadUrl,
  };
}

async function download(client: ServiceClient, url: string, source: DemoFile) {
  const response = await client.send(url);
  expectStatus(response, 200, "GET the link");
  expectSame(hashBytes(response.bytes), hashBytes(source.bytes), "the SHA-256 of the file");
  expectSame(parseOfferedName(response), source.fileName, "the name in Content-Disposition");
  return {
    result: `${formatByteCount(response.bytes.length)}, same as uploaded`,
    details: [`SHA-256 ${hashBytes(response.bytes)}`],
    value: response,
  };
}

/** As a client does whose connection broke after the first half (RFC 9110, sections 13.1.5 and 14.2). */
async function resume(client: ServiceClient, url: string, whole: Response) {
  const size = whole.bytes.length;
  const middle = Math.floor(size / 2);
  const etag = present(whole.headers.get("etag"), "the answer had no ETag");
  const rest = await client.send(url, { headers: { range: `bytes=${middle}-`, "if-range": etag } });
  expectStatus(rest, 206, "GET the link with Range");
  expectSame(rest.headers.get("content-range"), `bytes ${middle}-${size - 1}/${size}`, "Content-Range");
  const joined = Buffer.concat([whole.bytes.subarray(0, middle), rest.bytes]);
  expectSame(hashBytes(joined), hashBytes(whole.bytes), "the SHA-256 of both halves");
  return { result: `206, ${formatByteCount(rest.bytes.length)}, halves match`, value: undefined };
}

/** The name of RFC 6266's `filename*`, which holds what ASCII can't. */
function parseOfferedName({ headers }: Response): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(headers.get("content-disposition") ?? "")?.[1];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
}
