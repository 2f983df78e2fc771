/** The import of this window that hasn't started: the service keeps the bytes of its files for it, also without the window. */
import { api, longWork, Problem, receive, type Schemas } from "../api/client.ts";
import { repeat } from "../api/retry.ts";
import { sendForm } from "../api/send-form.ts";
import { createStore, useStore } from "../lib/store.ts";
import { waits } from "../session/session-end.ts";
import { describeImport, type ImportRequest } from "./import-body.ts";

type Creation = Schemas["ImportCreation"];
type Import = Schemas["Import"];

interface Collecting {
  /** Tells two requests apart. */
  key: string;
  hashes: ReadonlySet<string>;
  made: Promise<Made>;
}

interface Made {
  id: string;
  /** The hashes of the bytes that the service needs for it: what is sent is taken out. */
  missing: Set<string>;
}

let current: Collecting | undefined;

/** The ids of imports of this window: the one that collects, and the one that was started last. */
const shown = createStore<{ collecting?: string; started?: string }>({});
export const useOwnImports = () => useStore(shown);

/** The one that needs the file, once it is made; undefined if there is none. */
export const findCollecting = (sha256: string): Promise<Made> | undefined =>
  current?.hashes.has(sha256) ? current.made : undefined;

/**
 * The import of a request. Of another one, the service has the bytes already: this takes its place.
 * @throws Problem
 */
export async function collect(request: ImportRequest, archived = false): Promise<Made> {
  const { body: files } = await describeImport(request);
  const body: Creation = { ...files, ...(archived && { archived }) };
  const key = JSON.stringify(body);
  if (current?.key === key) return current.made;
  const former = current?.made;
  const made = replace(body, request.catalogue?.file, former);
  const hashes = new Set(body.files.map(({ sha256 }) => sha256));
  const own: Collecting = { key, hashes, made };
  current = own;
  made.catch(() => {
    if (current === own) current = undefined;
  });
  return made;
}

async function replace(
  body: Creation,
  catalogue: File | undefined,
  former: Promise<Made> | undefined,
): Promise<Made> {
  const created = await repeat(() => receive(api.POST("/api/admin/imports", { body, ...longWork })), waits);
  const { id, missing } = created;
  const sha256 = body.catalogue?.sha256;
  if (catalogue && sha256 && missing.includes(sha256))
    await repeat(() => sendBytes(id, catalogue, () => undefined), waits);
  const before = await former?.catch(() => undefined);
  const others = await listForgotten(created, body).catch(() => []);
  for (const each of new Set([...(before ? [before.id] : []), ...others])) await cancel(each);
  shown.write({ ...shown.read(), collecting: id });
  return { id, missing: new Set(missing) };
}

/** @returns the body of the response */
export function sendBytes(id: string, file: File, report: (part: number) => void): Promise<unknown> {
  const form = new FormData();
  form.set("file", file);
  return sendForm("POST", `/api/admin/files/examine?importId=${id}`, form, report);
}

const read = async (importId: string): Promise<Import> => {
  const found = await receive(api.GET("/api/admin/imports/{importId}", { params: { path: { importId } } }));
  // It is a table only where one is asked for.
  if (typeof found === "string") throw new Problem(0, {});
  return found;
};

/** Imports of the same files that a window which was closed, or a lost response, has left. */
async function listForgotten(created: Import, { files }: Creation): Promise<string[]> {
  const hashes = new Set(files.map(({ sha256 }) => sha256));
  const { imports } = await receive(api.GET("/api/admin/imports"));
  const alike = imports.filter(
    ({ id, state, ownerId, filesCount }) =>
      state === "collecting" &&
      id !== created.id &&
      ownerId === created.ownerId &&
      filesCount === created.filesCount,
  );
  const found = await Promise.all(alike.map(({ id }) => read(id)));
  return found.flatMap(({ id, missing }) => (missing.every((sha256) => hashes.has(sha256)) ? id : []));
}

/** Its bytes are kept for a while, and it can be started still. */
async function cancel(importId: string): Promise<void> {
  await api
    .DELETE("/api/admin/imports/{importId}", { params: { path: { importId } } })
    .catch(() => undefined);
}

/** What is collected is wanted no more. */
export async function dropCollecting(): Promise<void> {
  const made = current?.made;
  current = undefined;
  const { started } = shown.read();
  shown.write(started === undefined ? {} : { started });
  const run = await made?.catch(() => undefined);
  if (run) await cancel(run.id);
}

/**
 * Starts the import of a request, which goes on without this window.
 * @param sendLost sends the files of these hashes again
 * @throws Problem
 */
export async function startCollected(
  request: ImportRequest,
  archived: boolean,
  sendLost: (hashes: ReadonlySet<string>) => Promise<unknown>,
): Promise<void> {
  const { id, missing } = await collect(request, archived);
  try {
    await start(id);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "content_missing") throw error;
    for (const sha256 of (await read(id)).missing) missing.add(sha256);
    await sendLost(missing);
    await start(id);
  }
  current = undefined;
  shown.write({ started: id });
}

async function start(importId: string): Promise<void> {
  const params = { path: { importId } };
  try {
    await repeat(() => receive(api.POST("/api/admin/imports/{importId}/start", { params })), waits);
  } catch (error) {
    const { state } = await read(importId);
    // The response to the first attempt was lost.
    if (state !== "running" && state !== "done") throw error;
  }
}
