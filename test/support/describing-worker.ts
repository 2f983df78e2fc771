/** A worker thread that responds with what it was given. */
import { createWorkerHandler } from "../../src/db/workers/worker-handler.ts";

export default createWorkerHandler((data: unknown) => ({
  respond: () => ({ data, variables: Object.keys(process.env) }),
  close() {},
}));
