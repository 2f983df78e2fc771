/**
 * The drill of the outbox: readers send forms, and meanwhile what sends and what receives is killed, hung and cut off.
 * Each event and each letter of an accepted form arrives, none is invented, and repeats keep their id.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type CephGateway, createStorageSettings, openStore } from "../lib/ceph-gateway.ts";
import {
  addressOf,
  type Delivered,
  type Receiver,
  receiveEvents,
  receiveLetters,
} from "../lib/delivery-receivers.ts";
import { PostgresProcess } from "../lib/postgres-process.ts";
import { createSeededRandom, type RandomInt } from "../lib/seeded-random.ts";
import { freePort, ServerProcess, UNLIMITED } from "../lib/server-process.ts";
import { CutOff, expectStatus, ServiceClient } from "../lib/service-client.ts";
import { temporaryFolder } from "../lib/temporary-folder.ts";
import { makeLinkedBook, SLUG } from "../recorder/linked-book.ts";
import { LINK_LANGUAGE } from "../recorder/load/bulk.ts";
import { Recorder } from "../recorder/recorder.ts";

const AT_ONCE = 8;
/** A fault lasts so long, and so long nothing is broken. */
const FAULT_MS = 2500;
const WELL_MS = 2500;
/** A receiver that was away twice is tried again after five minutes, and three times after half an hour. */
const FAULTS_FOR_MS = 200_000;
/** Then what hasn't arrived is lost: nothing has arrived for so long, which is more than five minutes and a fifth. */
const STANDSTILL_MS = 7 * 60_000;

const MAIL_LOGIN = { user: "drill", password: "of the outbox" };
const link = z.object({ downloadUrl: z.string() });
const created = z.object({ secret: z.string() });

interface DeliveriesOptions {
  /** Of forms: each is an event. */
  events: number;
  /** Of readers: each gets a letter. */
  letters: number;
  /** Two instances on a PostgreSQL server of its own, in place of one on SQLite. */
  postgres: boolean;
  seed: number;
  report: (line: string) => void;
}

export interface DeliveriesRun {
  accepted: number;
  /** Forms without a response: they may have been accepted or not. */
  unknown: number;
  faults: ReadonlyMap<string, number>;
  events: Count;
  letters: Count;
  /** From the last form until all had arrived. */
  lastMs: number;
  losses: string[];
}

interface Count {
  arrived: number;
  /** Those that arrived more than once. */
  repeated: number;
}

/** What came of the forms, by their campaigns. */
interface Forms {
  accepted: Set<string>;
  unknown: Set<string>;
  wrong: string[];
}

export async function runDeliveries(options: DeliveriesOptions): Promise<DeliveriesRun> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder("drill-deliveries")).path;
  let secret = "";
  const events = opened.use(await receiveEvents(() => secret));
  const letters = opened.use(await receiveLetters(MAIL_LOGIN));
  const sender = opened.use(new Sender(options));
  await sender.start(folder, { events, letters });
  secret = await sender.prepare(events);
  const [forms, faults] = await sendForms(sender, [events, letters], options);
  const since = performance.now();
  const missing = () => findMissing(forms, events, letters);
  await waitWhileArriving([events, letters], () => missing().length > 0);
  const lastMs = performance.now() - since;
  // What would come twice, or without a form.
  await sleep(6000);
  const invented = [
    ...findInvented(forms, events, (about) => about),
    ...findInvented(forms, letters, addressOf),
  ];
  return {
    accepted: forms.accepted.size,
    unknown: forms.unknown.size,
    faults,
    events: count(events),
    letters: count(letters),
    lastMs,
    losses: [...forms.wrong, ...events.wrong, ...letters.wrong, ...missing(), ...invented],
  };
}

async function waitWhileArriving(receivers: readonly Receiver[], isMissing: () => boolean): Promise<void> {
  let [arrived, last] = [0, performance.now()];
  while (isMissing() && performance.now() - last < STANDSTILL_MS) {
    await sleep(500);
    const now = receivers.reduce((sum, { delivered }) => sum + delivered.size, 0);
    if (now > arrived) [arrived, last] = [now, performance.now()];
  }
}

/** Until all forms are sent, with one fault after the other. */
async function sendForms(
  sender: Sender,
  receivers: readonly Receiver[],
  { events, letters, seed, report }: DeliveriesOptions,
): Promise<[Forms, Map<string, number>]> {
  const roll = createSeededRandom(seed);
  const forms: Forms = { accepted: new Set(), unknown: new Set(), wrong: [] };
  let sent = 0;
  const work = async () => {
    while (sent < events && forms.wrong.length === 0) {
      const campaign = `${sent}.${sent % letters}`;
      sent += 1;
      await sender.submit(campaign, forms, roll);
    }
  };
  const workers = Array.from({ length: AT_ONCE }, work);
  const ended = new AbortController();
  const faults = new Map<string, number>();
  const breaking = breakThings({ sender, receivers, roll, ended: ended.signal }, (name) => {
    faults.set(name, (faults.get(name) ?? 0) + 1);
    report(`${name} after ${forms.accepted.size} of ${events} forms`);
  });
  await Promise.all(workers);
  ended.abort();
  await breaking;
  return [forms, faults];
}

interface Breaking {
  sender: Sender;
  receivers: readonly Receiver[];
  roll: RandomInt;
  ended: AbortSignal;
}

async function breakThings({ sender, receivers, roll, ended }: Breaking, onFault: (name: string) => void) {
  const until = performance.now() + FAULTS_FOR_MS;
  const all = [...sender.faults(roll), ...receivers.flatMap(listFaults)];
  while (!ended.aborted && performance.now() < until) {
    await sleep(WELL_MS);
    const fault = all[roll(all.length)];
    if (!fault || ended.aborted) break;
    onFault(fault.name);
    await fault.begin();
    await sleep(FAULT_MS);
    await fault.end();
  }
}

interface Fault {
  name: string;
  begin: () => void | Promise<void>;
  end: () => void | Promise<void>;
}

const listFaults = (receiver: Receiver): Fault[] => {
  const { name, proxy } = receiver;
  return [
    { name: `${name} killed`, begin: () => receiver.kill(), end: () => receiver.wake() },
    { name: `${name} hung`, begin: () => proxy.hold(), end: () => proxy.forward() },
    { name: `connections of the ${name} reset`, begin: () => proxy.reset(), end: () => {} },
  ];
};

interface Receivers {
  events: Receiver;
  letters: Receiver;
}

/** One that sends, which keeps its settings, and with them its port, when it starts again. */
interface Instance {
  settings: Readonly<Record<string, string>>;
  reader: ServiceClient;
  server: ServerProcess;
}

/** The service: one instance on SQLite, or two on PostgreSQL. */
class Sender implements AsyncDisposable {
  readonly #options: DeliveriesOptions;
  readonly #recorder: Recorder;
  readonly #instances: Instance[] = [];
  #database: PostgresProcess | undefined;
  #gateway: CephGateway | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#recorder = new Recorder({ seed: options.seed });
  }

  async start(folder: string, receivers: Receivers): Promise<void> {
    const { postgres } = this.#options;
    const servers = postgres ? await this.#startServers(folder) : {};
    const common = { ...UNLIMITED, ...this.#recorder.admin, ...settingsFor(receivers), ...servers };
    for (const name of postgres ? ["one", "two"] : ["one"]) {
      const port = await freePort(0);
      const settings = { ...common, PORT: String(port), DATA_DIR: join(folder, name) };
      const reader = new ServiceClient(`http://127.0.0.1:${port}`);
      const server = startServer(settings);
      this.#instances.push({ settings, reader, server });
      await server.waitUntilReady();
    }
  }

  /** Makes a book that is a link, and a webhook. @returns its secret */
  async prepare({ proxy }: Receiver): Promise<string> {
    const { base } = await this.#choose(() => 0).server.waitUntilReady();
    await this.#recorder.begin(base);
    const { admin } = this.#recorder.callers(base);
    await makeLinkedBook(this.#recorder.ledger, admin);
    const url = proxy.createUrl("http://127.0.0.1/hook");
    const webhook = { url, events: ["download.requested"], includeContact: true };
    return (await admin.post("/api/admin/webhooks", webhook, 201, created)).secret;
  }

  /** Notes what came of it. */
  async submit(campaign: string, forms: Forms, roll: RandomInt): Promise<void> {
    const contact = { email: addressOf(campaign), firstName: "Sara" };
    const json = { slug: SLUG, languageCode: LINK_LANGUAGE, fileType: "pdf", contact };
    const path = `/api/download/submit?utm_campaign=${campaign}`;
    try {
      const response = await this.#choose(roll).reader.send(path, { method: "POST", json });
      if (response.status === 503) forms.unknown.add(campaign);
      else {
        expectStatus(response, 200, path);
        link.parse(JSON.parse(response.bytes.toString()));
        forms.accepted.add(campaign);
      }
    } catch (error) {
      if (!(error instanceof CutOff)) forms.wrong.push(String(error));
      forms.unknown.add(campaign);
      // It is starting again.
      await sleep(500);
    }
  }

  faults(roll: RandomInt): Fault[] {
    let hit = this.#choose(() => 0);
    const kill: Fault = {
      name: "service killed",
      begin: async () => {
        hit = this.#choose(roll);
        await hit.server.end("SIGKILL");
      },
      end: async () => {
        hit.server = startServer(hit.settings);
        await hit.server.waitUntilReady();
      },
    };
    const hang: Fault = {
      name: "service hung",
      begin: () => {
        hit = this.#choose(roll);
        hit.server.kill("SIGSTOP");
      },
      end: () => hit.server.kill("SIGCONT"),
    };
    return [kill, kill, hang];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#instances.map(({ server }) => server.end("SIGKILL")));
    await this.#database?.crash();
    await this.#gateway?.stop();
  }

  /** @returns the settings of what instances share */
  async #startServers(folder: string): Promise<Record<string, string>> {
    this.#database = new PostgresProcess({ folder: join(folder, "postgres"), port: await freePort(0) });
    await this.#database.start();
    const store = await openStore();
    if (!store) throw new Error("Two instances need a store: Ceph's gateway, or S3_TEST_URL");
    this.#gateway = store.gateway;
    return { DATABASE_URL: this.#database.url, ...createStorageSettings(store, "deliveries") };
  }

  #choose(roll: RandomInt): Instance {
    const instance = this.#instances[roll(this.#instances.length)];
    if (!instance) throw new Error("The service hasn't been started");
    return instance;
  }
}

const startServer = (settings: Instance["settings"]) => new ServerProcess(settings, { keep: "no requests" });

const settingsFor = ({ events, letters }: Receivers) => ({
  AUTH_SECRET: randomBytes(48).toString("base64"),
  PUBLIC_BASE_URL: "https://books.example.org",
  WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${events.proxy.port}`,
  SMTP_URL: `smtp://${MAIL_LOGIN.user}:${encodeURIComponent(MAIL_LOGIN.password)}@127.0.0.1:${letters.proxy.port}`,
  MAIL_FROM: "books@example.org",
  MAIL_LINK: "true",
  MAIL_PER_HOUR: "1000000",
  MAIL_PER_SENDER_HOUR: "1000000",
});

/** Of accepted forms. */
function findMissing({ accepted }: Forms, events: Receiver, letters: Receiver): string[] {
  const arrived = new Set([...events.delivered.values()].map(({ about }) => about));
  const reached = new Set([...letters.delivered.values()].map(({ about }) => about));
  const addresses = new Set([...accepted].map(addressOf));
  return [
    ...[...accepted].filter((campaign) => !arrived.has(campaign)).map((each) => `no event of form ${each}`),
    ...[...addresses].filter((each) => !reached.has(each)).map((each) => `no letter to ${each}`),
  ];
}

/** More than one event of a form, or more letters to an address than its forms. @param idOf what a form is the cause of */
function findInvented(
  { accepted, unknown }: Forms,
  { delivered }: Receiver,
  idOf: (campaign: string) => string,
): string[] {
  const causes = countBy([...accepted, ...unknown], idOf);
  const effects = countBy([...delivered.values()], ({ about }: Delivered) => about);
  return [...effects]
    .filter(([about, times]) => times > (causes.get(about) ?? 0))
    .map(([about, times]) => `${times} deliveries of ${about}, with ${causes.get(about) ?? 0} forms`);
}

const countBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> =>
  new Map([...Map.groupBy(items, keyOf)].map(([key, { length }]) => [key, length]));

const count = ({ delivered }: Receiver): Count => ({
  arrived: delivered.size,
  repeated: [...delivered.values()].filter(({ times }) => times > 1).length,
});
