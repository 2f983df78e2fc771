/** The order in which a write becomes durable: bytes, their name, their folder, the row, and only then the response. */
import { isSync, isWrite, ofWal, type SystemCall } from "./system-calls.ts";

/** What one request did, up to its response. */
interface Window {
  requestId: string;
  response: SystemCall;
  calls: readonly SystemCall[];
}

/** A request that was sent, and what it should have led to. */
export interface SentRequest {
  requestId: string;
  /** Bytes get a place. */
  keepsBytes: boolean;
  /** Bytes lose theirs. */
  removesBytes: boolean;
}

const ANSWER = /"HTTP\/1\.1 2\d\d [^"]*X-Request-Id: (?<requestId>[\w-]+)/;
const RENAME =
  /"(?<from>[^"]+\/files\/tmp\/[^"]+)", (?:AT_FDCWD\S*, )?"(?<to>[^"]+\/files\/[0-9a-f]{2}\/[0-9a-f]{64})"/;
const KEPT_BYTES = /\/files\/[0-9a-f]{2}\/[0-9a-f]{64}"/;

const concerns =
  (path: string) =>
  ({ text }: SystemCall) =>
    text.includes(`<${path}>`);

/** Requests come one after the other: what lies between two answers belongs to the second. */
function findWindows(calls: readonly SystemCall[]): Window[] {
  const windows: Window[] = [];
  let from = 0;
  for (const [index, call] of calls.entries()) {
    const requestId = isWrite(call) ? ANSWER.exec(call.text)?.groups?.requestId : undefined;
    if (requestId === undefined) continue;
    windows.push({ requestId, response: call, calls: calls.slice(from, index) });
    from = index + 1;
  }
  return windows;
}

/** Each error names its request. */
export function findOrderErrors(calls: readonly SystemCall[], sent: readonly SentRequest[]): string[] {
  const windows = new Map(findWindows(calls).map((window) => [window.requestId, window]));
  return sent.flatMap((request) => {
    const window = windows.get(request.requestId);
    const errors = window
      ? [
          ...findRowErrors(window),
          ...(request.keepsBytes ? findBytesErrors(window) : []),
          ...(request.removesBytes ? findRemovalErrors(window) : []),
        ]
      : ["has no answer in the trace"];
    return errors.map((error) => `${request.requestId} ${error}`);
  });
}

/**
 * When the last write to the WAL before a call was on the disk; undefined when none was written, or it wasn't brought
 * there. A removal is noted in the database after it.
 */
function findRow(
  { calls, response }: Window,
  before: SystemCall = response,
): { began: number; durable: number } | undefined {
  const written = calls.findLast((call) => isWrite(call) && ofWal(call) && call.began < before.began);
  if (!written) return undefined;
  const synced = calls.find((call) => isSync(call) && ofWal(call) && call.began > written.ended);
  return synced && synced.ended < response.began
    ? { began: written.began, durable: synced.ended }
    : undefined;
}

const findRowErrors = (window: Window): string[] =>
  findRow(window) ? [] : ["was acknowledged before the WAL had its row and was synced"];

function findBytesErrors(window: Window): string[] {
  const renamed = window.calls.find(({ name, text }) => name.startsWith("rename") && RENAME.test(text));
  const { from = "", to = "" } = RENAME.exec(renamed?.text ?? "")?.groups ?? {};
  if (!renamed) return ["moved no bytes to their place"];
  const written = window.calls.findLast((call) => isWrite(call) && concerns(from)(call));
  const synced = window.calls.findLast((call) => isSync(call) && concerns(from)(call));
  const shard = to.slice(0, to.lastIndexOf("/"));
  const folder = window.calls.find(
    (call) => isSync(call) && concerns(shard)(call) && call.began > renamed.ended,
  );
  const row = findRow(window, findRemoval(window));
  return [
    ...(written && synced && written.ended < synced.began
      ? []
      : ["didn't sync its bytes after the last one"]),
    ...(synced && synced.ended < renamed.began ? [] : ["moved its bytes before they were synced"]),
    ...(folder ? [] : ["didn't sync the folder after the move"]),
    ...(folder && row && folder.ended < row.began ? [] : ["wrote its row before its bytes were safe"]),
  ];
}

const findRemoval = ({ calls }: Window): SystemCall | undefined =>
  calls.find(({ name, text }) => name.startsWith("unlink") && KEPT_BYTES.test(text));

function findRemovalErrors(window: Window): string[] {
  const removed = findRemoval(window);
  if (!removed) return ["removed no bytes"];
  const row = findRow(window, removed);
  return row && row.durable < removed.began
    ? []
    : ["removed bytes before the WAL knew that no row names them"];
}
