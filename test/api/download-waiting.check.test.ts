/** ZIPs whose members come from hosts that are down or slow: what that costs, and whom it holds up. */
import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { readZip } from "../../tools/lib/read-zip.ts";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startApp } from "../support/app.ts";
import { FakeClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { FakeScheduler } from "../support/fake-scheduler.ts";
import { itInFolder } from "../support/on-s3.ts";
import { AGENTS, linkToAll } from "../support/reader.ts";

const PDF = "%PDF-1.7 from the cloud";
const MINUTE = 60_000;

/** An application that may fetch from a host of the test's own, and whose timers the test moves. */
async function withHost(answer: RequestListener) {
  const host = await startHost(answer);
  const timers = new FakeScheduler(new FakeClock());
  const app = await startApp({ CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort }, { schedule: timers.schedule });
  const addLink = async (title: string, languageCode: string, path: string) => {
    const book = await app.make.book(title);
    await app.make.link(book.id, languageCode, { fileName: "x.pdf", cloudUrl: host.url(path) });
  };
  return { app, host, timers, addLink };
}

const contents = async (zip: Buffer) =>
  (await readZip(zip)).map(({ name, bytes }) => [name, bytes.toString()]);

const down: RequestListener = (_request, response) => response.writeHead(503).end();

describe("a source that is down", () => {
  it("isn't requested again by HEAD, conditions, ranges or other readers", async () => {
    const { app, host, addLink } = await withHost(down);
    await app.make.language("en");
    await addLink("Cloud", "en", "/dead.pdf");
    const link = await linkToAll(app.api, "en");
    const first = await app.api.get(link);
    expect(first.status).toBe(200);
    for (const headers of [
      {},
      { "If-Match": '"x"' },
      { Range: "bytes=-1" },
      { "User-Agent": AGENTS.googlebot },
    ]) {
      await app.api.get(link, headers);
    }
    expect((await app.api.head(link)).headers["content-length"]).toBe(String(first.body.length));
    await app.api.get(await linkToAll(app.api, "en"));
    expect(host.requests).toHaveLength(1);
  });

  itInFolder("isn't requested by requests that build nothing, after its ten minutes", async () => {
    const { app, host, addLink } = await withHost(down);
    await app.make.language("en");
    await addLink("Cloud", "en", "/dead.pdf");
    await app.api.get(await linkToAll(app.api, "en"));
    app.clock.advance(5 * MINUTE);
    const link = await linkToAll(app.api, "en");
    app.clock.advance(5 * MINUTE);
    const head = await app.api.head(link);
    expect(head.status).toBe(200);
    // Whether the next ZIP will miss members, and so its tag and its length, isn't known.
    expect([head.headers["content-length"], head.headers.etag]).toEqual([undefined, undefined]);
    expectProblem(await app.api.get(link, { "If-Match": '"x"' }), 412);
    expect(host.requests).toHaveLength(1);
    await app.api.get(link);
    expect(host.requests).toHaveLength(2);
  });

  it("isn't requested for another ZIP with the same member either", async () => {
    const { app, host, addLink } = await withHost(down);
    const parent = await app.make.language("es");
    await app.make.language("es-MX", { parentId: parent.id });
    await addLink("Cloud", "es", "/dead.pdf");
    for (const code of ["es", "es-MX"]) {
      const answer = await app.api.get(await linkToAll(app.api, code));
      expect(await contents(answer.body)).toEqual([["MISSING.txt", expect.stringContaining("status 503")]]);
    }
    expect(host.requests).toHaveLength(1);
  });
});

describe("a source that is slow", () => {
  /** Answers when the test says so. */
  async function withSlowHost(...codes: string[]) {
    const { promise: go, resolve: release } = Promise.withResolvers<void>();
    const scene = await withHost(async (_request, response) => {
      await go;
      response.writeHead(200, { "Content-Type": "application/pdf" }).end(PDF);
    });
    for (const code of codes) {
      await scene.app.make.language(code);
      await scene.addLink(`Cloud ${code}`, code, `/${code}.pdf`);
    }
    return { ...scene, release };
  }

  it("is waited for at most half a minute; a browser's page retries; the build continues", async () => {
    const { app, host, timers, release } = await withSlowHost("en");
    const link = await linkToAll(app.api, "en");
    // The one who prepares, and the build itself.
    await eventually(() => expect(timers.due).toHaveLength(2));
    const script = app.api.get(link).then((response) => response);
    await eventually(() => expect(timers.due).toHaveLength(3));
    const browser = app.api.get(link, { Accept: "text/html" }).then((response) => response);
    await eventually(() => expect(timers.due).toHaveLength(4));
    timers.pass(30_000);
    const problem = await script;
    expectProblem(problem, 503, { code: "archive_in_preparation" });
    expect(problem.headers["retry-after"]).toBe("10");
    const page = await browser;
    expect([page.status, page.headers["content-type"]]).toEqual([503, "text/html; charset=utf-8"]);
    expect(page.body.toString()).toContain('<meta http-equiv="refresh" content="10">');
    expect(JSON.stringify(app.logged)).not.toContain("could not build a ZIP");

    release();
    const answer = await app.api.get(link);
    expect(await contents(answer.body)).toEqual([["01 - Cloud en [en].pdf", PDF]]);
    expect(host.requests).toHaveLength(1);
  });

  it("doesn't delay the ZIPs of languages without such files, regardless of the number of slow sources", async () => {
    const { app, release } = await withSlowHost("es", "fr", "de");
    await app.make.published("Local", "en", "local text");
    for (const code of ["es", "fr", "de"]) await linkToAll(app.api, code);
    const answer = await app.api.get(await linkToAll(app.api, "en"));
    expect(await contents(answer.body)).toEqual([["01 - Local [en].txt", "local text"]]);
    release();
  });

  it("isn't remembered as failed if the time limit of the whole ZIP ends its fetch", async () => {
    const { app, host, timers, release } = await withSlowHost("en");
    await app.make.published("Local", "en", "local text");
    const link = await linkToAll(app.api, "en");
    await eventually(() => expect(host.requests).toHaveLength(1));
    timers.pass(30 * MINUTE);
    const answer = await app.api.get(link);
    expect(await contents(answer.body)).toEqual([
      ["02 - Local [en].txt", "local text"],
      [
        "MISSING.txt",
        expect.stringContaining("01 - Cloud en [en].pdf: There was no time left to fetch the file."),
      ],
    ]);
    release();
    // Another ZIP with that member asks at once.
    await app.make.published("Another", "en", "text");
    const renewed = await app.api.get(link);
    expect((await contents(renewed.body))[0]).toEqual(["01 - Cloud en [en].pdf", PDF]);
    expect(host.requests).toHaveLength(2);
  });
});
