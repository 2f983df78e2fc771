/** A service as a process of its own that is stopped, started again and frozen, behind a line that breaks. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { freePort, UNLIMITED } from "../../tools/lib/server-process.ts";
import { readSessionCookie, ServiceClient } from "../../tools/lib/service-client.ts";
import { TcpProxy } from "../../tools/lib/tcp-proxy.ts";
import { PASSWORD } from "./factory.ts";
import { ServiceProcess } from "./service-process.ts";
import { createTempFolder } from "./temp-folder.ts";

const EMAIL = "anna@example.org";
const ACCOUNT = { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD };
const created = z.object({ id: z.string() });

/** With Spanish, and a book. The console is reached through the line. */
export async function startRestartable() {
  const port = await freePort(0);
  const variables = { ...ACCOUNT, ...UNLIMITED, DATA_DIR: join(createTempFolder(), "data"), PORT: `${port}` };
  const start = async () => {
    const started = new ServiceProcess(variables);
    await started.waitUntilReady();
    return started;
  };
  let process = await start();
  const direct = `http://127.0.0.1:${port}`;
  const line = await TcpProxy.start(direct);
  // Registered last, so it runs first: silent connections would keep the browser waiting.
  onTestFinished(() => line.close());
  const login = { email: EMAIL, password: PASSWORD };
  const response = await new ServiceClient(direct).send("/api/auth/login", { method: "POST", json: login });
  const admin = new ServiceClient(direct, { cookie: readSessionCookie(response) });
  const language = { code: "es", name: "Spanish", nativeName: "Español" };
  await admin.post("/api/admin/languages", language, 201, z.unknown());
  const book = await admin.post("/api/admin/books", { titleEn: "The Deep Well" }, 201, created);
  return {
    base: line.createUrl(`${direct}/console/`),
    email: EMAIL,
    line,
    admin,
    bookId: book.id,
    stop: () => process.end(),
    /** Ends it without a word to its clients. */
    kill: () => process.end("SIGKILL"),
    async start() {
      process = await start();
    },
    /** It stays, and does nothing. */
    freeze: () => process.kill("SIGSTOP"),
    thaw: () => process.kill("SIGCONT"),
  };
}

export type Restartable = Awaited<ReturnType<typeof startRestartable>>;
