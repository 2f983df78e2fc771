/** Forms of pages in older charsets: their letters arrive, or the reader learns why they don't. */
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { listContacts } from "../support/reader.ts";

const BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

/** Sends a form whose first name is these percent-encoded bytes. */
async function start(variables: Readonly<Record<string, string>> = {}) {
  const app = await startApp(variables);
  await app.make.published("The Well", "es");
  const send = (firstName: string, { charset = "", more = "", accept = BROWSER, from = "a" } = {}) =>
    app.api.call("post", "/api/download/submit", {
      headers: { "Content-Type": `application/x-www-form-urlencoded${charset}`, Accept: accept },
      body: `slug=the-well&languageCode=es&email=${from}%40example.org&firstName=${firstName}${more}`,
    });
  return { app, send };
}

describe("the letters of a form", () => {
  it.each([
    ["UTF-8", "Jos%C3%A9", "José"],
    ["windows-1252", "Jos%E9", "José"],
    ["iso-8859-1", "Jos%e9", "José"],
    ["windows-1251", "%C0%ED%ED%E0", "Анна"],
    ["koi8-r", "%E1%CE%CE%C1", "Анна"],
    ["windows-1256", "%ED%E6%D3%DD", "يوسف"],
    ["windows-1258", "Nguy%EA%DEn", "Nguyễn"],
    ["Shift_JIS", "%89%D4%8Eq", "花子"],
    ["euc-jp", "%B2%D6%BB%D2", "花子"],
    ["iso-2022-jp", "%1B%24B2V%3BR%1B%28B", "花子"],
    ["gb18030", "%C0%EE", "李"],
    ["big5", "%A7%F5", "李"],
    ["euc-kr", "%B1%E8", "김"],
  ])("in %s are read by _charset_ and by Content-Type", async (charset, bytes, name) => {
    const { app, send } = await start();
    expect((await send(bytes, { more: `&_charset_=${charset}&lastName=Doe` })).status).toBe(303);
    expect((await send(bytes, { charset: `; charset="${charset}"`, from: "b" })).status).toBe(303);
    expect(await listContacts(app)).toMatchObject([
      { firstName: name, lastName: "Doe" },
      { firstName: name, lastName: "" },
    ]);
  });

  it("that a charset lacks arrive as browsers write them", async () => {
    const { app, send } = await start();
    expect((await send("%26%23321%3Bukasz+%26%2399999999%3B", { charset: ";charset=latin1" })).status).toBe(
      303,
    );
    expect((await send("%26%23321%3Bukasz", { from: "b" })).status).toBe(303);
    const found = [{ firstName: "Łukasz &#99999999;" }, { firstName: "&#321;ukasz" }];
    expect(await listContacts(app)).toMatchObject(found);
  });

  it("in UTF-8 are read as UTF-8 if the form names another charset, and without percent-encoding", async () => {
    const { app, send } = await start();
    expect((await send("Jos%C3%A9", { charset: ";charset=windows-1252" })).status).toBe(303);
    expect((await send("José+Núñez", { more: "&_charset_=nonsense", from: "b" })).status).toBe(303);
    expect(await listContacts(app)).toMatchObject([{ firstName: "José" }, { firstName: "José Núñez" }]);
  });
});

it.each([
  ["Jos%E9", {}],
  ["Jos%E9", { more: "&_charset_=nonsense" }],
  ["Jos%E9", { charset: "; charset=utf-8", more: "&_charset_=" }],
  ["%89%D4%8Eq%80%A0%FF", { more: "&_charset_=Shift_JIS" }],
])(
  "letters of an unknown charset %s are 400, with a sentence on the page, and record nothing",
  async (bytes, named) => {
    const { app, send } = await start();
    const page = await send(bytes, named);
    expect([page.status, page.headers["content-language"]]).toEqual([400, "es"]);
    expect(page.body.toString()).toContain("Algunas letras llegaron dañadas.");
    const problem = await send(bytes, { ...named, accept: "application/json" });
    expectProblem(problem, 400, { code: "malformed_form", errors: ["firstName damaged_letters"] });
    expect(await listContacts(app)).toEqual([]);
  },
);
