/** The favicon: one that ships, or the operator's own in DATA_DIR. */
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";

const RED = [255, 0, 0, 255];
const GREEN = [0, 128, 0, 255];
const BLUE = [0, 0, 255, 255];
const NOTHING = [0, 0, 0, 0];

const put = ({ dataDir }: TestApp, name: string, content: Buffer | string) =>
  writeFileSync(join(dataDir, name), content);

const svg = (fill: string, attributes = 'viewBox="0 0 8 8"', more = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="100%" height="100%" fill="${fill}"/>${more}</svg>`;

const png = (background: string, width: number, height = width): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();

/** The favicon's colours at some places, as parts of its side. */
async function colours(app: TestApp, ...places: [number, number][]): Promise<number[][]> {
  const { body } = await app.api.get("/api/favicon");
  const { data, info } = await sharp(body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([256, 256]);
  return places.map(([x, y]) => {
    const start = (Math.floor(y * 255) * 256 + Math.floor(x * 255)) * 4;
    return [...data.subarray(start, start + 4)];
  });
}

const middle = async (app: TestApp) => (await colours(app, [0.5, 0.5]))[0];
const warnings = (app: TestApp) => app.logged.filter(({ level }) => level === 40 || level === "warn");

describe("GET /api/favicon", () => {
  it("returns the included PNG to everybody", async () => {
    const app = await startApp();
    const response = await app.api.get("/api/favicon");
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("image/png");
    expect(response.headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect(response.headers["x-content-type-options"]).toBe("nosniff");
    expect(response.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
    const [corner, ground] = await colours(app, [0, 0], [0.1, 0.5]);
    expect(corner).toEqual(NOTHING);
    expect(ground).toEqual([0x2f, 0x4b, 0x63, 255]);
  });

  it("returns 304 until it has changed", async () => {
    const app = await startApp();
    const { headers, body } = await app.api.get("/api/favicon");
    expect(headers["cache-control"]).toBe("no-cache");
    const known = { "If-None-Match": headers.etag ?? "" };
    const again = await app.api.get("/api/favicon", known);
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const head = await app.api.head("/api/favicon");
    expect([head.status, head.headers["content-length"]]).toEqual([200, String(body.length)]);
    expectProblem(await app.api.get("/api/favicon", { "If-Match": '"another"' }), 412);
    put(app, "favicon.svg", svg("red"));
    const changed = await app.api.get("/api/favicon", known);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(headers.etag);
  });
});

describe("an operator's own favicon", () => {
  it("is the SVG rather than the PNG", async () => {
    const app = await startApp();
    put(app, "favicon.png", await png("green", 32));
    expect(await middle(app)).toEqual(GREEN);
    put(app, "favicon.svg", svg("red"));
    expect(await middle(app)).toEqual(RED);
    rmSync(join(app.dataDir, "favicon.svg"));
    expect(await middle(app)).toEqual(GREEN);
    expect(warnings(app)).toEqual([]);
  });

  it("keeps its aspect ratio, with transparent margins", async () => {
    const app = await startApp();
    put(app, "favicon.png", await png("green", 600, 300));
    const places = await colours(app, [0.5, 0.1], [0.5, 0.5], [0.02, 0.5], [0.5, 0.9]);
    expect(places).toEqual([NOTHING, GREEN, GREEN, NOTHING]);
  });

  it("is created again when the file is replaced", async () => {
    const app = await startApp();
    put(app, "favicon.svg", svg("blue"));
    utimesSync(join(app.dataDir, "favicon.svg"), 1_000, 1_000);
    expect(await middle(app)).toEqual(BLUE);
    put(app, "favicon.svg", svg("#f00"));
    expect(await middle(app)).toEqual(RED);
  });
});

describe("a favicon that can't be read", () => {
  it.each([
    ["favicon.svg", "<svg"],
    ["favicon.svg", ""],
    ["favicon.png", "GIF89a, and no more"],
    ["favicon.svg", svg("red", "", `<!--${" ".repeat(1024 * 1024)}-->`)],
    ["favicon.svg", svg("red", 'width="90000" height="90000"')],
  ])("is replaced by the included one, and reported once: %s", async (name, content) => {
    const app = await startApp();
    const { headers } = await app.api.get("/api/favicon");
    put(app, name, content);
    const shown = [await app.api.get("/api/favicon"), await app.api.get("/api/favicon")];
    expect(shown.map((response) => [response.status, response.headers.etag])).toEqual([
      [200, headers.etag],
      [200, headers.etag],
    ]);
    expect(warnings(app).map(({ msg, file }) => [msg, file])).toEqual([
      ["can't read the favicon; using the default one", join(app.dataDir, name)],
    ]);
  });

  it("loads nothing from elsewhere, and is bounded in size", async () => {
    const app = await startApp();
    put(app, "other.png", await png("blue", 8));
    const place = 'width="8" height="8"';
    const links = [`file://${app.dataDir}/other.png`, "other.png", `${app.dataDir}/other.png`];
    const images = links.map((href) => `<image href="${href}" ${place}/>`).join("");
    put(app, "favicon.svg", svg("red", 'viewBox="0 0 8 8"', images));
    expect(await middle(app)).toEqual(RED);
    const entities = Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    ).join("");
    put(
      app,
      "favicon.svg",
      `<!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]>${svg("red", "", "<text>&e9;</text>")}`,
    );
    expect((await app.api.get("/api/favicon")).status).toBe(200);
  });
});
