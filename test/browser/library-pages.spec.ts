/** The pages of the library for readers, in the looks of test/support/looks.ts. */
import { ALL_VARIANTS } from "../support/all-variants.ts";
import { choosing, findErrors, LOOKS, nameOf, seenIn } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { ANY_TITLE } from "./support/scenes.ts";
import { Template } from "./support/template.ts";

const CODES = ["en", "fr", "es", "pt", "ar"];

const LIBRARY = new Template(async ({ make, admin: logIn }) => {
  const admin = await logIn();
  for (const code of [...CODES, "am"]) await make.language(code, { name: undefined, nativeName: undefined });
  const well = await make.book("The Deep Well", {
    description: "About a well.\n\nAnd its water.",
    series: { name: "Wells", position: 1 },
  });
  const texts = { languageCode: "ar", title: "البئر العميقة", license: "CC-BY-4.0", publisher: "دار الكتب" };
  await admin.post(`/api/admin/books/${well.id}/translations`, texts);
  const any = await make.book(ANY_TITLE, { series: { name: "Wells", position: 2 } });
  const long = await make.book("x".repeat(300));
  for (const { id } of [well, any, long])
    for (const code of CODES) await make.textFile(id, code, "Once upon a time");
  for (let number = 1; number <= 23; number += 1) await make.published(`Book ${number}`, "ar");
  const fields = { lastName: "required", phone: "optional", country: "optional" };
  await admin.put("/api/admin/library", { name: "Village Library", contactFields: fields });
  const own = {
    introduction: "Books for all.\n\nhttps://example.org/",
    footer: "Old Street 1",
    about: "We print books.",
    consent: "Write to me about new books.",
    consentVersion: "1",
  };
  await admin.put("/api/admin/library/texts/en", own);
  return { long: long.slug };
});

const test = testOn(LIBRARY);

const listPaths = (list: string, long: string) => [
  "/",
  list,
  `${list}?page=2`,
  `${list}?q=deep`,
  `${list}?q=nothing`,
  `${list}?page=99`,
  `${list}?page=x`,
  `${list}/books/the-deep-well`,
  `${list}/books/${long}`,
  `${list}/books/nothing`,
  `${list}/all`,
  `${list}/all/ready`,
  `${list}/about`,
  `${list}/privacy`,
  "/library/am",
  "/library/xx",
];

for (const look of LOOKS)
  test(`shows pages without accessibility errors and sideways scrolling in ${nameOf(look)}`, async ({
    scene,
    open,
  }) => {
    test.slow(ALL_VARIANTS, "it sees six times as much");
    const { origin } = new URL(scene.base);
    const code = look.locale.slice(0, 2);
    const found: Record<string, unknown> = {};
    const page = await open("../library", { ...choosing(look), as: "stranger" });
    const check = async (name: string) => {
      const errors = await findErrors(page);
      if ((await page.locator("h1").count()) !== 1) errors.push("has not one heading");
      if (errors.length > 0) found[name] = errors;
    };
    await expect(page).toHaveURL(`${origin}/library`);
    await check("languages");
    for (const path of seenIn(look, listPaths(`/library/${code}`, scene.long))) {
      await page.goto(origin + path);
      await expect(page.locator("html")).toHaveAttribute("dir", code === "ar" ? "rtl" : "ltr");
      await check(path);
    }
    expect(found).toEqual({});
  });
