/** Letters to a mail server of another make, which demands TLS and a log-in: aiosmtpd, where Debian's package is installed. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import PostalMime from "postal-mime";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { selfSignedCertificate } from "./adapters/cloud-fetch-certificate.ts";
import { startApp } from "./support/app.ts";
import { contact } from "./support/factory.ts";
import { mailSettings, sendLetters } from "./support/mail-server.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const PYTHON = "/usr/bin/python3";
const SERVER = join(import.meta.dirname, "support/aiosmtpd-server.py");
const isInstalled = spawnSync(PYTHON, ["-c", "import aiosmtpd"]).status === 0;

const listening = z.object({ port: z.int() });
const letter = z.object({ from: z.string(), to: z.array(z.string()), tls: z.boolean(), raw: z.string() });

/** @returns its URL, the file of its certificate, and its lines */
async function startAiosmtpd(user: string, password: string) {
  const folder = createTempFolder();
  const { cert, key } = selfSignedCertificate("localhost");
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const child = spawn(PYTHON, [SERVER, certFile, keyFile, user, password], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => JSON.parse(String((await lines.next()).value));
  const { port } = listening.parse(await readLine());
  return { certFile, url: `smtp://${user}:${password}@localhost:${port}`, readLine };
}

it.skipIf(!isInstalled)("a letter reaches aiosmtpd over TLS with a log-in, and no other way", async () => {
  const server = await startAiosmtpd("books", "wells-and-rivers");
  const settings = mailSettings(server, { MAIL_LINK: "true", SMTP_CA_FILE: server.certFile });
  const app = await startApp(settings);
  await app.make.published("The Well", "en");
  const form = { contact: { ...contact, email: "mira@example.org" }, slug: "the-well", languageCode: "en" };
  expect((await app.api.post("/api/download/submit", form)).status).toBe(200);
  await sendLetters(app);
  const { raw, ...envelope } = letter.parse(await server.readLine());
  expect(envelope).toEqual({ from: "books@example.org", to: ["mira@example.org"], tls: true });
  const { subject, text, html } = await PostalMime.parse(raw);
  expect(subject).toContain("The Well");
  for (const part of [text, html]) expect(part).toContain("https://books.example.org/library/api/download/");
  const wrong = await startApp({ ...settings, SMTP_URL: server.url.replace("wells", "other") });
  const { findings } = await wrong.container.services.doctor.examine({ deep: false, cloud: false });
  expect(findings).toContainEqual(expect.objectContaining({ check: "mail_server", severity: "error" }));
});
