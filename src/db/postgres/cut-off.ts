/** Whether this instance's connection for changes is silent while the server responds to others. */
import type { GroupCommit } from "../group-commit.ts";
import { acceptsConnection } from "./connection.ts";
import type { PostgresWriter } from "./writer.ts";

/** Less than the interval of probes. */
const ACCEPT_MS = 900;

/** @returns what is true only if it was so already when last asked: a server that is back accepts connections first */
export function createCutOffCheck(writer: PostgresWriter, group: GroupCommit, url: string) {
  let isSuspected = false;
  return async (): Promise<boolean> => {
    const wasSuspected = isSuspected;
    isSuspected = writer.isSilent && (await acceptsConnection(url, ACCEPT_MS));
    if (!wasSuspected || !isSuspected) return false;
    // Its response ends the silence, even if it is an error.
    if (group.waitingCount === 0) void group.submit(async () => {}).catch(() => {});
    return writer.isSilent;
  };
}
