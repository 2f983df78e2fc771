/** What receives events and letters: each a real server behind a proxy that breaks its connections. */
import { createServer, type IncomingMessage } from "node:http";
import { buffer, text } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { listen } from "./listening.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Nothing listens there, as after the end of a process. */
const DEAD = "tcp://127.0.0.1:1";

const eventBody = z.object({
  type: z.literal("download.requested"),
  sequence: z.int(),
  data: z.object({ utmCampaign: z.string(), contact: z.object({ email: z.string() }) }),
});

/** Something that was delivered, once or more often. */
export interface Delivered {
  /** Of the event, or the left part of the letter's `Message-ID`. */
  id: string;
  /** The campaign of the form, or the address of the letter. */
  about: string;
  times: number;
}

export interface Receiver extends AsyncDisposable {
  /** For reports. */
  name: string;
  proxy: TcpProxy;
  delivered: ReadonlyMap<string, Delivered>;
  /** In words. */
  wrong: readonly string[];
  /** Its connections end, and new ones fail, until `wake`. */
  kill(): void;
  wake(): void;
}

/** @param secret of the webhook, once there is one */
export async function receiveEvents(secret: () => string): Promise<Receiver> {
  const notes = new Notes();
  const server = createServer(async (request, response) => {
    try {
      notes.add(readEvent(request, await text(request), secret()));
      response.writeHead(204).end();
    } catch (error) {
      // A request that was cut off isn't an event.
      if (request.complete) notes.wrong.push(String(error));
      response.writeHead(400).end();
    }
  });
  const port = await listen(server);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return startBehindProxy("receiver of events", { notes, port, close });
}

/** It takes letters from who logs in. */
export async function receiveLetters(login: { user: string; password: string }): Promise<Receiver> {
  const notes = new Notes();
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login.user && password === login.password;
      done(isRight ? null : new Error("wrong log-in"), { user: username });
    },
    onData(stream, { envelope }, done) {
      const taken = buffer(stream).then(async (raw) => {
        const { messageId = "" } = await PostalMime.parse(raw);
        const id = messageId.slice(1).split("@", 1)[0] ?? "";
        notes.add({ id, about: envelope.rcptTo.map(({ address }) => address).join() });
        done(null, "taken");
      });
      // A letter that was cut off.
      taken.catch(() => undefined);
    },
  });
  server.on("error", () => {});
  const port = await listen(server.server);
  const close = () => server.close();
  return startBehindProxy("mail server", { notes, port, close });
}

interface Started {
  notes: Notes;
  port: number;
  close: () => void;
}

async function startBehindProxy(name: string, { notes, port, close }: Started): Promise<Receiver> {
  const target = `tcp://127.0.0.1:${port}`;
  const proxy = await TcpProxy.start(target);
  return {
    name,
    proxy,
    delivered: notes.delivered,
    wrong: notes.wrong,
    kill() {
      proxy.redirect(DEAD);
      proxy.reset();
    },
    wake() {
      proxy.redirect(target);
      proxy.forward();
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      close();
    },
  };
}

/** @throws Error unless it is signed with the secret, as the library of the receiver says */
function readEvent({ headers }: IncomingMessage, raw: string, secret: string): Omit<Delivered, "times"> {
  const signed = z.record(z.string(), z.string()).parse({
    "webhook-id": headers["webhook-id"],
    "webhook-timestamp": headers["webhook-timestamp"],
    "webhook-signature": headers["webhook-signature"],
  });
  const { data, sequence } = eventBody.parse(new Webhook(secret).verify(raw, signed));
  if (data.contact.email !== addressOf(data.utmCampaign))
    throw new Error(`event ${sequence} of ${data.utmCampaign} has the reader ${data.contact.email}`);
  return { id: signed["webhook-id"] ?? "", about: data.utmCampaign };
}

/** Campaigns of the drill are `<number of the form>.<number of the reader>`. */
export const addressOf = (campaign: string): string => `reader${campaign.split(".")[1]}@example.org`;

class Notes {
  readonly delivered = new Map<string, Delivered>();
  readonly wrong: string[] = [];

  add({ id, about }: Omit<Delivered, "times">): void {
    const { about: before, times } = this.delivered.get(id) ?? { about, times: 0 };
    if (before !== about) this.wrong.push(`${id} was about ${before}, and then about ${about}`);
    this.delivered.set(id, { id, about, times: times + 1 });
  }
}
