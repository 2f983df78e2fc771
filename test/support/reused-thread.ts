/** The worker side of `reused-threads.ts`: does the work of one script after the other, on the data of one lease at a time. */
import { createResponder, type ThreadWork } from "../../src/db/workers/worker-handler.ts";

/** What each message names, because a thread that has crashed is replaced by one that knows nothing. */
export interface Lease {
  id: number;
  /** A worker module of the service. */
  script: string;
  data: unknown;
}

export type LeaseMessage = { lease: Lease } & ({ question: unknown } | { isOver: true });

type Work = ThreadWork<unknown, unknown>;

let current: { id: number; work: Work } | undefined;

async function begin({ id, script, data }: Lease): Promise<Work> {
  const { default: worker } = await import(script);
  const work: Work = worker.begin(data);
  current = { id, work };
  return work;
}

async function endLease(id: number): Promise<void> {
  if (current?.id !== id) return;
  const { work } = current;
  current = undefined;
  await work.close();
}

export default createResponder({
  async respond({ lease, ...message }: LeaseMessage) {
    if ("isOver" in message) return endLease(lease.id);
    const work = current?.id === lease.id ? current.work : await begin(lease);
    return work.respond(message.question);
  },
});
