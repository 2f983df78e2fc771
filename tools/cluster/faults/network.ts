/** What lies between an instance and PostgreSQL resets, forgets or loses connections. */
import { setTimeout as sleep } from "node:timers/promises";
import type { TcpProxy } from "../../lib/tcp-proxy.ts";
import type { Servers } from "../servers.ts";
import { type Fault, RECOVERS, WRITES_WAIT } from "./fault.ts";

const RESETS = 6;
const EVERY_MS = 2000;

const reset: Fault = {
  name: "connections-reset",
  title: "all connections reset, six times",
  seconds: 12,
  away: "database",
  limits: { others: RECOVERS },
  async begin({ servers }) {
    const meanwhile = async () => {
      for (let time = 0; time < RESETS; time += 1) {
        for (const proxy of proxiesOf(servers)) proxy.reset();
        await sleep(EVERY_MS);
      }
      return [];
    };
    return { meanwhile, repair() {} };
  },
};

const halfOpen: Fault = {
  name: "half-open",
  title: "connections of an instance half-open",
  seconds: 15,
  isMomentary: true,
  away: "database",
  mayLeave: "hit",
  limits: { hit: RECOVERS, others: WRITES_WAIT, balancer: RECOVERS },
  async begin({ servers, hit }) {
    servers.instances.proxy(hit).halfOpen();
    return { repair() {} };
  },
};

const swallowed: Fault = {
  name: "swallowed",
  title: "connections of an instance swallowed, new ones work",
  seconds: 15,
  isMomentary: true,
  away: "database",
  mayLeave: "hit",
  limits: { hit: RECOVERS, others: WRITES_WAIT, balancer: RECOVERS },
  async begin({ servers, hit }) {
    const proxy = servers.instances.proxy(hit);
    proxy.swallow();
    proxy.forward();
    return { repair() {} };
  },
};

const silent: Fault = {
  name: "silent",
  title: "all of an instance's connections silent for 15 s",
  seconds: 15,
  away: "database",
  mayLeave: "hit",
  limits: { hit: RECOVERS, others: WRITES_WAIT, balancer: RECOVERS },
  begin: async ({ servers, hit }) => swallowing([servers.instances.proxy(hit)]),
};

const allSilent: Fault = {
  name: "all-silent",
  title: "connections of all instances silent for 45 s",
  seconds: 45,
  away: "database",
  named: "database",
  limits: { others: RECOVERS },
  begin: async ({ servers }) => swallowing(proxiesOf(servers)),
};

function swallowing(proxies: readonly TcpProxy[]) {
  for (const proxy of proxies) proxy.swallow();
  return {
    repair() {
      for (const proxy of proxies) proxy.forward();
    },
  };
}

const proxiesOf = ({ instances }: Servers): TcpProxy[] =>
  instances.names.map((_, index) => instances.proxy(index));

export const NETWORK_FAULTS = [reset, halfOpen, swallowed, silent, allSilent];
