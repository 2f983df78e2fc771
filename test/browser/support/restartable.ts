/** A service as a process of its own that is stopped, started again and frozen, behind a line that breaks. */
import { join } from "node:path";
import { z } from "zod";
import { freePort, ServerProcess, UNLIMITED } from "../../../tools/lib/server-process.ts";
import { readSessionCookie, ServiceClient } from "../../../tools/lib/service-client.ts";
import { TcpProxy } from "../../../tools/lib/tcp-proxy.ts";
import { PASSWORD } from "../../support/factory.ts";

const ACCOUNT = { ADMIN_EMAIL: "anna@example.org", ADMIN_PASSWORD: PASSWORD };
const SPANISH = { code: "es", name: "Spanish", nativeName: "Español" };
const created = z.object({ id: z.string() });

async function logInto(address: string) {
  const login = { email: ACCOUNT.ADMIN_EMAIL, password: PASSWORD };
  const response = await new ServiceClient(address).send("/api/auth/login", { method: "POST", json: login });
  const cookie = readSessionCookie(response);
  return { cookie, admin: new ServiceClient(address, { cookie }) };
}

/**
 * With Spanish, and a book. The console is reached through the line.
 * @param folder for its data
 */
export async function startRestartable(folder: string) {
  const port = await freePort(0);
  const variables = { ...ACCOUNT, ...UNLIMITED, DATA_DIR: join(folder, "data"), PORT: `${port}` };
  const start = async () => {
    const started = new ServerProcess(variables);
    await started.waitUntilReady();
    return started;
  };
  let server = await start();
  const direct = `http://127.0.0.1:${port}`;
  const line = await TcpProxy.start(direct);
  const { admin, cookie } = await logInto(direct);
  await admin.post("/api/admin/languages", SPANISH, 201, z.unknown());
  const addBook = async (titleEn: string) =>
    (await admin.post("/api/admin/books", { titleEn }, 201, created)).id;
  return {
    base: line.createUrl(`${direct}/console/`),
    cookie,
    line,
    admin,
    addBook,
    bookId: await addBook("The Deep Well"),
    stop: () => server.end(),
    /** By SIGKILL. */
    kill: () => server.end("SIGKILL"),
    async start() {
      server = await start();
    },
    /** By SIGSTOP. */
    freeze: () => server.kill("SIGSTOP"),
    thaw: () => server.kill("SIGCONT"),
    async close() {
      // Silent connections would keep the browser waiting.
      await line.close();
      // A killed process doesn't write what of it ran.
      if (process.env.COVERAGE_FOLDER) await server.stop().catch(() => {});
      await server.end("SIGKILL");
    },
  };
}

export type Restartable = Awaited<ReturnType<typeof startRestartable>>;
