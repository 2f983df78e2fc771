/** What the service remarks on a file or a cover that was sent. */
import { api, receive, type Schemas } from "../api/client.ts";

export type Remark = Schemas["Remark"];

export interface Sent {
  id: string;
  remarks: readonly Remark[];
}

const isSent = (body: unknown): body is Sent =>
  typeof body === "object" &&
  body !== null &&
  "id" in body &&
  "remarks" in body &&
  Array.isArray(body.remarks);

/** @param body of the response to a file or a cover that was added or replaced */
export function readSent(body: unknown): Sent | undefined {
  if (isSent(body)) return body;
  if (typeof body !== "object" || body === null) return undefined;
  return Object.values(body).find(isSent);
}

export const isPending = ({ remarks }: Pick<Sent, "remarks">): boolean =>
  remarks.some(({ code }) => code === "metadata_pending");

const WAIT_MS = 3_000;
const MOST_TRIES = 20;

/** Waits, but not forever, until the service has read the file; undefined if it hasn't, or the file is another one. */
export async function waitUntilRead(bookId: string, fileId: string): Promise<Sent | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, WAIT_MS);
    });
    const { files } = await receive(
      api.GET("/api/admin/books/{bookId}/files", { params: { path: { bookId } } }),
    );
    const sent = files.find(({ id }) => id === fileId);
    if (sent === undefined) return undefined;
    const { id, remarks = [] } = sent;
    if (!isPending({ remarks })) return { id, remarks };
  }
  return undefined;
}
