/** The checkpoint thread: moves committed pages from the WAL into the file, as far as readers permit. */
import { createWorkerHandler } from "../workers/worker-handler.ts";
import { type Connection, openCheckpointer } from "./connection.ts";

export default createWorkerHandler((file: string) => {
  let connection: Connection | undefined;
  return {
    respond() {
      connection ??= openCheckpointer(file);
      // Every other checkpoint mode takes the writer's lock, for which the event loop would have to wait.
      connection.pragma("wal_checkpoint(PASSIVE)");
    },
    close() {
      connection?.close();
    },
  };
});
