/** What both programs are given, and what no generator does for them. */
import assert from "node:assert/strict";

export interface Journey {
  baseUrl: string;
  email: string;
  password: string;
  /** Named as a file is. */
  epub: File;
}

/** The session's token. Node's fetch keeps no cookies: a program sends it back by itself. */
export function sessionIn({ headers }: Response): string {
  const [cookie = ""] = headers.getSetCookie();
  const [, token] = /^auth\.session-token=([^;]+)/.exec(cookie) ?? [];
  assert.ok(token, "the log-in sets the session cookie");
  return token;
}

/** The parameter of `GET /api/download/{token}`, for those who don't follow the path as it is. */
export const tokenOf = (downloadUrl: string): string => downloadUrl.slice(downloadUrl.lastIndexOf("/") + 1);

export async function bytesOf(content: unknown): Promise<Buffer> {
  assert.ok(content instanceof Blob);
  return Buffer.from(await content.arrayBuffer());
}
