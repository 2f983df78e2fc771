/** Everything that a phase breaks, in the order of the phases. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CephGateway } from "../../lib/ceph-gateway.ts";
import type { TcpProxy } from "../../lib/tcp-proxy.ts";
import type { Servers } from "../servers.ts";
import { hasShiftedClocks, shiftClock } from "./clock.ts";
import {
  behindBalancer,
  type Context,
  type Fault,
  HANGS,
  type Place,
  READS_ONLY,
  RECOVERS,
  RESTARTED,
  UNTOUCHED,
  WRITES_WAIT,
} from "./fault.ts";
import { FILE_FAULTS } from "./files.ts";
import { dropIndex } from "./index-dropped.ts";
import { promoteStandby } from "./promoted.ts";
import { REFUSALS } from "./refused.ts";
import { stopBackendWithLock, stopInUpload, stopWithLock, stopWithoutLock } from "./stopped.ts";
import { restartInTurn, upgrade } from "./upgrade.ts";

/** An instance hangs, as with `docker pause` or on a machine that swaps. */
const INSTANCE_HANGS = { away: "database", mayLeave: "hit" } as const;
/** The connections of one instance are lost; it gets new ones. */
const INSTANCE_RECONNECTS = {
  away: "database",
  mayLeave: "hit",
  limits: { hit: RECOVERS, others: WRITES_WAIT, balancer: RECOVERS },
} as const;
const DATABASE_AWAY = { away: "database", named: "database", limits: { others: RECOVERS } } as const;
const STORE_AWAY = {
  away: "files",
  named: "files",
  limits: { others: UNTOUCHED },
  isPossible: ({ gateway }: Servers) => gateway !== undefined,
} as const;

export const FAULTS: readonly Fault[] = [
  {
    name: "restarts",
    title: "all instances restarted in turn",
    seconds: 0,
    mayLeave: "all",
    limits: RESTARTED,
    begin: (context) => context.meanwhile(() => restartInTurn(context)),
  },
  {
    ...INSTANCE_HANGS,
    name: "instance-stopped",
    title: "instance stopped (SIGSTOP) without the lock",
    seconds: 15,
    isQuiet: true,
    limits: { hit: HANGS, others: UNTOUCHED, balancer: behindBalancer(UNTOUCHED) },
    begin: stopWithoutLock,
  },
  {
    ...INSTANCE_HANGS,
    name: "instance-stopped-with-lock",
    title: "instance stopped (SIGSTOP) with the lock",
    seconds: 15,
    limits: { hit: HANGS, others: WRITES_WAIT, balancer: behindBalancer(WRITES_WAIT) },
    begin: stopWithLock,
  },
  {
    ...INSTANCE_HANGS,
    name: "instance-stopped-in-upload",
    title: "instance stopped (SIGSTOP) between bytes and row",
    // Longer than the other instance may need, or the check couldn't fail.
    seconds: 45,
    isQuiet: true,
    limits: { hit: HANGS, others: WRITES_WAIT, balancer: behindBalancer(WRITES_WAIT) },
    begin: stopInUpload,
  },
  {
    name: "connections-reset",
    title: "all connections reset, six times",
    seconds: 12,
    away: "database",
    limits: { others: RECOVERS },
    begin: (context) => context.meanwhile(() => resetOften(context)),
  },
  {
    ...INSTANCE_RECONNECTS,
    name: "half-open",
    title: "connections of an instance half-open",
    seconds: 15,
    isMomentary: true,
    begin: (context) => proxyOf(context).halfOpen(),
  },
  {
    ...INSTANCE_RECONNECTS,
    name: "swallowed",
    title: "connections of an instance swallowed, new ones work",
    seconds: 15,
    isMomentary: true,
    begin(context) {
      proxyOf(context).swallow();
      proxyOf(context).forward();
    },
  },
  {
    ...INSTANCE_RECONNECTS,
    name: "silent",
    title: "all of an instance's connections silent for 15 s",
    seconds: 15,
    begin: (context) => swallow(context, [proxyOf(context)]),
  },
  {
    ...DATABASE_AWAY,
    name: "all-silent",
    title: "connections of all instances silent for 45 s",
    seconds: 45,
    begin: (context) => swallow(context, proxiesOf(context)),
  },
  {
    ...STORE_AWAY,
    name: "store-stopped",
    title: "store stopped (SIGSTOP)",
    seconds: 15,
    begin(context) {
      gatewayOf(context).hang();
      context.repairs.defer(() => gatewayOf(context).wake());
    },
  },
  {
    ...STORE_AWAY,
    name: "store-away",
    title: "store away for 30 s",
    seconds: 30,
    begin(context) {
      gatewayOf(context).interrupt();
      context.repairs.defer(() => gatewayOf(context).resume());
    },
  },
  {
    ...DATABASE_AWAY,
    name: "database-stopped",
    title: "PostgreSQL stopped (SIGSTOP)",
    // Longer than a form may take on a slow machine, or the check couldn't fail.
    seconds: 30,
    begin({ servers: { database }, repairs }) {
      database.hang();
      repairs.defer(() => database.wake());
    },
  },
  {
    name: "backend-stopped",
    title: "process of PostgreSQL that has the lock stopped (SIGSTOP)",
    seconds: 30,
    away: "database",
    // Its instance sees a writing connection that is silent while a new one works.
    mayLeave: "hit",
    limits: { hit: READS_ONLY, others: READS_ONLY },
    begin: stopBackendWithLock,
  },
  {
    name: "database-crashed",
    title: "PostgreSQL restarted with -m immediate",
    seconds: 0,
    away: "database",
    limits: { others: RECOVERS },
    async begin({ servers: { database }, repairs }) {
      await database.crash();
      repairs.defer(() => database.start());
    },
  },
  {
    ...DATABASE_AWAY,
    name: "database-away",
    title: "PostgreSQL away for 10 s",
    seconds: 10,
    async begin({ servers: { database }, repairs }) {
      await database.stop();
      repairs.defer(() => database.start());
    },
  },
  ...REFUSALS,
  ...FILE_FAULTS,
  {
    name: "index-dropped",
    title: "a unique index dropped, and made again by the doctor",
    seconds: 0,
    away: "database",
    limits: { others: READS_ONLY },
    begin: dropIndex,
  },
  {
    name: "clock-off",
    title: "clock of an instance half a minute ahead, then an hour",
    seconds: 0,
    // Links of other instances have expired at this one until it leaves the balancer.
    isQuiet: true,
    mayLeave: "hit",
    limits: { others: UNTOUCHED },
    isPossible: hasShiftedClocks,
    begin: shiftClock,
  },
  {
    // After it, the locks of the former server can't be asked for.
    name: "standby-promoted",
    title: "asynchronous standby promoted with lost commits",
    seconds: 0,
    away: "database",
    isQuiet: true,
    isMomentary: true,
    limits: { others: RECOVERS },
    begin: promoteStandby,
  },
  {
    // The last one: then the database is newer than this version.
    name: "upgrade",
    title: "all instances upgraded in turn, and a marked migration rejected",
    seconds: 0,
    mayLeave: "all",
    limits: RESTARTED,
    begin: (context) => context.meanwhile(() => upgrade(context)),
  },
];

const RESETS = 6;
const EVERY_MS = 2000;

async function resetOften(context: Place): Promise<string[]> {
  for (let time = 0; time < RESETS; time += 1) {
    for (const proxy of proxiesOf(context)) proxy.reset();
    await sleep(EVERY_MS);
  }
  return [];
}

function swallow({ repairs }: Context, proxies: readonly TcpProxy[]): void {
  for (const proxy of proxies) {
    proxy.swallow();
    repairs.defer(() => proxy.forward());
  }
}

/** Between the instance that is hit and the database. */
const proxyOf = ({ servers: { instances }, hit }: Place): TcpProxy => instances.proxy(hit);

const proxiesOf = ({ servers: { instances } }: Place): TcpProxy[] =>
  instances.names.map((_, index) => instances.proxy(index));

function gatewayOf({ servers: { gateway } }: Place): CephGateway {
  if (!gateway) throw new Error("With S3_TEST_URL, the store can't be stopped");
  return gateway;
}
