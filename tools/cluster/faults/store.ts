/** The store hangs, or is away. */
import type { CephGateway } from "../../lib/ceph-gateway.ts";
import { type Context, type Fault, UNTOUCHED } from "./fault.ts";

const stopped: Fault = {
  name: "store-stopped",
  title: "store stopped (SIGSTOP)",
  seconds: 15,
  away: "files",
  named: "files",
  limits: { others: UNTOUCHED },
  async begin(context) {
    const gateway = gatewayOf(context);
    gateway.hang();
    return { repair: () => gateway.wake() };
  },
};

const away: Fault = {
  name: "store-away",
  title: "store away for 30 s",
  seconds: 30,
  away: "files",
  named: "files",
  limits: { others: UNTOUCHED },
  async begin(context) {
    const gateway = gatewayOf(context);
    gateway.interrupt();
    return { repair: () => gateway.resume() };
  },
};

function gatewayOf({ servers: { gateway } }: Context): CephGateway {
  if (!gateway) throw new Error("With S3_TEST_URL, the store can't be stopped");
  return gateway;
}

export const STORE_FAULTS = [stopped, away];
