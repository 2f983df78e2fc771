/** The pages of the library for readers, in two languages, two widths and two colours. */
import { choosing, findErrors, LOOKS, Mirror } from "../support/looks.ts";
import { expect, testOn } from "./fixtures.ts";
import { ANY_TITLE } from "./support/scenes.ts";
import { Template } from "./support/template.ts";

const LIBRARY = new Template(async ({ make, admin: logIn }) => {
  const admin = await logIn();
  for (const code of ["en", "ar", "am"])
    await make.language(code, { name: undefined, nativeName: undefined });
  const well = await make.book("The Deep Well", {
    description: "About a well.\n\nAnd its water.",
    series: { name: "Wells", position: 1 },
  });
  const texts = { languageCode: "ar", title: "البئر العميقة", license: "CC-BY-4.0", publisher: "دار الكتب" };
  await admin.post(`/api/admin/books/${well.id}/translations`, texts);
  const any = await make.book(ANY_TITLE, { series: { name: "Wells", position: 2 } });
  const long = await make.book("x".repeat(300));
  for (const { id } of [well, any, long])
    for (const code of ["en", "ar"]) await make.textFile(id, code, "Once upon a time");
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

for (const looks of LOOKS) {
  const code = looks.locale === "ar" ? "ar" : "en";

  test(`shows each page without accessibility errors and sideways scrolling in ${looks.locale}`, async ({
    scene,
    open,
  }) => {
    const { origin } = new URL(scene.base);
    const found: Record<string, unknown> = {};
    const page = await open("../library", { ...choosing(looks), as: "stranger" });
    const mirror = new Mirror(page, looks);
    const check = (name: string) =>
      mirror.show(async (look) => {
        const errors = await findErrors(page);
        if ((await page.locator("h1").count()) !== 1) errors.push("has not one heading");
        if (errors.length > 0) found[`${name}, ${look}`] = errors;
      });
    await expect(page).toHaveURL(`${origin}/library`);
    await check("languages");
    const list = `/library/${code}`;
    for (const path of [
      "/",
      list,
      `${list}?page=2`,
      `${list}?q=deep`,
      `${list}?q=nothing`,
      `${list}?page=99`,
      `${list}?page=x`,
      `${list}/books/the-deep-well`,
      `${list}/books/${scene.long}`,
      `${list}/books/nothing`,
      `${list}/all`,
      `${list}/all/ready`,
      `${list}/about`,
      `${list}/privacy`,
      "/library/am",
      "/library/xx",
    ]) {
      await page.goto(origin + path);
      await expect(page.locator("html")).toHaveAttribute("dir", code === "ar" ? "rtl" : "ltr");
      await check(path);
    }
    expect(found).toEqual({});
  });
}
