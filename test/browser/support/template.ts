/** Data folders with which tests begin: made once in a worker, by the service itself, and copied for each test. */
import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { addressOf } from "../../../tools/lib/listening.ts";
import { cookieOf, PASSWORD } from "../../support/factory.ts";
import { openService, type ServiceOptions, type TestApp } from "../../support/service.ts";

/** The service of a test, and who is logged in in its browser. */
export interface Served extends TestApp {
  /** The address of the console. */
  base: string;
  email: string;
  /** The cookie header of a session of that user. */
  cookie: string;
}

interface Stocked<Data> {
  dataDir: string;
  data: Data;
  email: string;
  cookie: string;
  /** Of `admin()` of the application. */
  adminCookie: string;
}

export class Template<Data extends object> {
  readonly #stock: (app: TestApp) => Promise<Data>;
  #stocked: Promise<Stocked<Data>> | undefined;

  /** @param stock adds data through the API. Returns what tests use of it, ids for example */
  constructor(stock: (app: TestApp) => Promise<Data>) {
    this.#stock = stock;
  }

  /**
   * Starts a service on a copy.
   * @param folder where the original is kept until the worker ends
   * @param options with the data folder into which it is copied
   */
  async serve(
    folder: string,
    options: ServiceOptions,
  ): Promise<{ scene: Served & Data; end(): Promise<void> }> {
    this.#stocked ??= this.#make(mkdtempSync(join(folder, "template-")));
    const { dataDir, data, email, cookie, adminCookie } = await this.#stocked;
    cpSync(dataDir, options.dataDir, { recursive: true });
    const { app, end } = await openInPresent({ ...options, sessions: { admin: adminCookie } });
    return { scene: { ...app, ...data, email, cookie, base: `${addressOf(app.server)}/console/` }, end };
  }

  async #make(dataDir: string): Promise<Stocked<Data>> {
    const { app, end } = await openInPresent({ dataDir });
    const data = await this.#stock(app);
    const { email } = await app.make.user("admin");
    const cookie = await logInto(app, email);
    const { headers } = await app.admin();
    await end();
    return { dataDir, data, email, cookie, adminCookie: headers.Cookie ?? "" };
  }
}

/** With the time of the browser, which drops the cookie of a session that has ended by its own clock. */
async function openInPresent(options: ServiceOptions) {
  const opened = await openService(options);
  const { clock } = opened.app;
  clock.advance(Date.now() - clock.now());
  return opened;
}

/** @returns the cookie header of a new session */
export const logInto = async ({ api }: Pick<TestApp, "api">, email: string, password = PASSWORD) =>
  cookieOf(await api.post("/api/auth/login", { email, password }));
