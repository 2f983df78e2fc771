/** multipart/form-data byte by byte (RFC 7578), so that a test can also write what no client would. */
const BOUNDARY = "----boundary-of-the-test";

export const MULTIPART = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };

export interface Part {
  /** The parameters behind `form-data; ` as they are: `name="file"; filename="a.txt"`. */
  disposition: string;
  content: Buffer | string;
  /** Further header lines. */
  headers?: readonly string[];
}

export const field = (name: string, content: string): Part => ({ disposition: `name="${name}"`, content });

/** `fileName` is put between the quotes as it is. */
export const filePart = (content: Buffer | string, fileName = "book.txt", name = "file"): Part => ({
  disposition: `name="${name}"; filename="${fileName}"`,
  content,
  headers: ["Content-Type: application/octet-stream"],
});

/** The whole body. */
export const encodeMultipart = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map(encodePart), Buffer.from(`--${BOUNDARY}--\r\n`)]);

/** Parts without the end of the body. */
export const encodeUnfinished = (...parts: readonly Part[]): Buffer => Buffer.concat(parts.map(encodePart));

function encodePart({ disposition, content, headers = [] }: Part): Buffer {
  const head = [`--${BOUNDARY}`, `Content-Disposition: form-data; ${disposition}`, ...headers, "", ""];
  return Buffer.concat([Buffer.from(head.join("\r\n")), Buffer.from(content), Buffer.from("\r\n")]);
}
