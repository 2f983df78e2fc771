/** A download that breaks because its instance is killed, and goes on at another one. */
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Callers } from "../recorder/load/load.ts";
import type { Instances } from "./instances.ts";

/** Far more than the sockets on the way hold. */
const SIZE_BYTES = 64 * 1024 * 1024;
const LANGUAGE = "de";

const made = z.object({ id: z.string() });
const link = z.object({ downloadUrl: z.string() });

interface Resumed {
  /** Bytes that had arrived when the connection broke. */
  broken: number;
  by: string;
  resumedBy: string;
}

/** @throws Error unless the bytes of both parts together are those of the upload */
export async function resumeElsewhere(
  { admin, reader }: Callers,
  base: string,
  instances: Instances,
): Promise<Resumed> {
  // Text, because its type is checked.
  const text = randomBytes(SIZE_BYTES / 2).toString("hex");
  const name = { code: LANGUAGE, name: "German", nativeName: "Deutsch" };
  await admin.post("/api/admin/languages", name, 201, z.object({}));
  const { id } = await admin.post("/api/admin/books", { titleEn: "Long" }, 201, made);
  const form = new FormData();
  form.set("languageCode", LANGUAGE);
  form.set("fileType", "txt");
  form.set("file", new Blob([text]), "long.txt");
  await admin.upload(`/api/admin/books/${id}/files`, form, made);
  const contact = { email: "resumed@example.org", firstName: "Sara" };
  const asked = { bookId: id, languageCode: LANGUAGE, contact };
  const { downloadUrl } = await reader.post("/api/download/submit", asked, 200, link);
  const hash = createHash("sha256");
  const address = new URL(downloadUrl, base);
  const first = await fetch(address);
  const by = first.headers.get("x-instance") ?? "";
  const broken = await readUntilBroken(first, hash, () => instances.kill(Number(by.replace(/\D/g, ""))));
  const range = { range: `bytes=${broken}-`, "if-range": first.headers.get("etag") ?? "" };
  const second = await fetch(address, { headers: range });
  const resumedBy = second.headers.get("x-instance") ?? "";
  if (second.status !== 206 || resumedBy === by)
    throw new Error(`The rest was answered with ${second.status} by ${resumedBy}`);
  for await (const bytes of second.body ?? []) hash.update(bytes);
  const expected = createHash("sha256").update(text).digest("hex");
  if (hash.digest("hex") !== expected) throw new Error("The resumed download has other bytes");
  await instances.restart(Number(by.replace(/\D/g, "")));
  return { broken, by, resumedBy };
}

async function readUntilBroken(
  { body }: Response,
  hash: ReturnType<typeof createHash>,
  kill: () => Promise<void>,
): Promise<number> {
  let received = 0;
  try {
    for await (const bytes of body ?? []) {
      if (received === 0) await kill();
      hash.update(bytes);
      received += bytes.length;
    }
  } catch {
    return received;
  }
  throw new Error("The download did not break");
}
