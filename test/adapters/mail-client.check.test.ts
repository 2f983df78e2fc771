/** The client of mail servers: encryption, log-in, deadlines, and what comes of a refusal. */
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { MailClient, type MailClientOptions } from "../../src/adapters/mail-client.ts";
import { listen } from "../../tools/lib/listening.ts";
import { type Replies, startMailServer } from "../support/mail-server.ts";
import { selfSignedCertificate } from "./cloud-fetch-certificate.ts";

const letter = {
  id: "0000",
  to: "mira@example.org",
  subject: "Your book: كتاب “A & B”",
  text: "Here it is.\n.\nThe end.",
  html: "<p>Here it is.</p>",
  headers: { "List-Unsubscribe": "<https://books.example.org/stop>" },
  signal: new AbortController().signal,
};

function connectTo(port: number, more: Partial<MailClientOptions> = {}, server = {}): MailClient {
  const client = new MailClient({
    server: { host: "127.0.0.1", port, isSecure: false, login: undefined, isLoopback: true, ...server },
    ca: undefined,
    from: { name: "Our Books, “B” <x>", address: "books@example.org" },
    replyTo: { name: "", address: "help@example.org" },
    dkim: undefined,
    ...more,
  });
  onTestFinished(() => client.close());
  return client;
}

describe("a letter", () => {
  it("arrives with its parts, and one id for all attempts", async () => {
    const { only, port } = await startMailServer();
    const sent = await connectTo(port).send(letter);
    expect(sent).toEqual({ kind: "sent", status: 250, error: null });
    const { from, to, mail, isEncrypted } = only();
    expect({ from, to, isEncrypted }).toEqual({
      from: "books@example.org",
      to: ["mira@example.org"],
      isEncrypted: false,
    });
    expect(mail).toMatchObject({
      from: { name: "Our Books, “B” <x>", address: "books@example.org" },
      to: [{ address: "mira@example.org" }],
      replyTo: [{ address: "help@example.org" }],
      subject: letter.subject,
      messageId: "<0000@example.org>",
      html: "<p>Here it is.</p>\n",
      text: "Here it is.\n.\nThe end.\n",
    });
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: "list-unsubscribe", value: "<https://books.example.org/stop>" }),
    );
    expect(mail.headers).toContainEqual(
      expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }),
    );
  });

  it.each(["a@b, c@d", "group: a@b;", "a@b\r\nRCPT TO:<c@d>", "a@b\0c@d", '"a b"@example.org, c@d'])(
    "to %j reaches no second recipient",
    async (to) => {
      const { received, port } = await startMailServer();
      await connectTo(port).send({ ...letter, to });
      expect(received.flatMap((one) => one.to).length).toBeLessThanOrEqual(1);
      expect(received.flatMap((one) => one.to)).not.toContain("c@d");
    },
  );

  it("is signed with the key, with the headers that stop letters", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { only, port } = await startMailServer();
    const headers = { ...letter.headers, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
    await connectTo(port, { dkim: { key, selector: "books" } }).send({ ...letter, headers });
    const { mail } = only();
    const signature = mail.headers.find((header) => header.key === "dkim-signature")?.value ?? "";
    expect(signature.replaceAll(/\s/g, "")).toMatch(/d=example\.org;.*s=books;/);
    const signed = /\bh=([^;]*)/.exec(signature.replaceAll(/\s/g, ""))?.[1]?.toLowerCase().split(":");
    expect(signed).toEqual(
      expect.arrayContaining(["from", "to", "subject", "list-unsubscribe", "list-unsubscribe-post"]),
    );
  });
});

describe("a server that isn't on this machine", () => {
  const elsewhere = { host: "localhost", isLoopback: false };
  const certificate = selfSignedCertificate("localhost");

  it("gets letters over TLS, with a log-in", async () => {
    const logins: string[] = [];
    const login = (user: string, password: string) => void logins.push(`${user} ${password}`);
    const { received, port } = await startMailServer({ login }, certificate);
    const server = { ...elsewhere, login: { user: "books", password: "a p@ss" } };
    const sent = await connectTo(port, { ca: certificate.cert }, server).send(letter);
    expect(sent).toMatchObject({ kind: "sent" });
    expect(received).toEqual([expect.objectContaining({ isEncrypted: true, user: "books" })]);
    expect(logins).toEqual(["books a p@ss"]);
  });

  it("gets none without TLS", async () => {
    const { received, port } = await startMailServer(
      {},
      { hideSTARTTLS: true, disabledCommands: ["STARTTLS"] },
    );
    expect(await connectTo(port, {}, elsewhere).send(letter)).toMatchObject({ kind: "later" });
    expect(received).toEqual([]);
  });

  it("gets none with a certificate that nothing vouches for", async () => {
    const { received, port } = await startMailServer({}, certificate);
    const sent = await connectTo(port, {}, elsewhere).send(letter);
    expect(sent).toMatchObject({ kind: "later", status: null });
    expect(received).toEqual([]);
  });
});

describe("a refusal", () => {
  it.each([
    ["mira.smith@example.org", "550 no <mira.smith@example.org>: Mira.Smith unknown", "no … … unknown"],
    [
      "mira+books@example.org",
      "550 mira is unknown, mira+books as well, admiral not",
      "… is unknown, … as well, admiral not",
    ],
    ["(x@example.org", "550 no such user (x", "no such user …"],
    ["mira@example.org", `550 mira ${"x".repeat(900_000)}`, `… ${"x".repeat(294)}`],
  ])("of %j names no one", async (to, reply, expected) => {
    const { port } = await startMailServer({ recipient: () => reply });
    const { error } = await connectTo(port).send({ ...letter, to });
    expect(error).toBe(`550 ${expected} (EENVELOPE)`.slice(0, 300));
  });

  it.each<[Replies, string, number]>([
    [{ recipient: () => "550 5.1.1 no such user <mira@example.org>" }, "recipient", 550],
    [{ recipient: () => "450 4.2.1 try later" }, "later", 450],
    [{ content: () => "554 looks like spam" }, "content", 554],
    [{ content: () => "451 try later" }, "later", 451],
    [{ login: () => "535 wrong" }, "login", 535],
    [{ login: () => "454 try later" }, "later", 454],
  ])("%j is known as what it is", async (replies, kind, status) => {
    const { port } = await startMailServer(replies);
    const server = replies.login ? { login: { user: "books", password: "word" } } : {};
    const sent = await connectTo(port, {}, server).send(letter);
    expect(sent).toMatchObject({ kind, status, error: expect.stringMatching(/./) });
    expect(sent.error).not.toContain("mira");
    if (kind === "login")
      expect(await connectTo(port, {}, server).check(letter.signal)).toMatchObject({ kind });
  });

  it("of the connection is one of the moment", async () => {
    const { port } = await startMailServer();
    const client = connectTo(port + 1 > 65_535 ? 1 : port + 1);
    expect(await client.send(letter)).toMatchObject({ kind: "later", status: null });
    expect(await client.check(letter.signal)).toMatchObject({ kind: "later", status: null });
  });
});

it("a server that never ends is left when the time is over, even if it sends a line a moment", async () => {
  const server = createServer((socket) => {
    const drip = setInterval(() => socket.write("220-wait\r\n"), 20);
    socket.on("close", () => clearInterval(drip)).on("error", () => {});
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const client = connectTo(port, { totalTimeoutMs: 300 });
  expect(await client.send(letter)).toMatchObject({
    kind: "later",
    error: expect.stringContaining("0.3 seconds"),
  });
  expect(await client.check(letter.signal)).toMatchObject({ kind: "later" });
  const stopped = new AbortController();
  const sent = client.send({ ...letter, signal: stopped.signal });
  stopped.abort();
  expect(await sent).toMatchObject({ kind: "later" });
});
