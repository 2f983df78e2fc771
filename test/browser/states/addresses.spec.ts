/** The addresses of pages: each link leads to one that the service knows without a redirect. */
import { expect, testOnStandIn } from "../fixtures.ts";

const test = testOnStandIn();

test("each link of the navigation has the address of its page, and that of the first page is kept", async ({
  api,
  open,
}) => {
  const page = await open("books");
  const navigation = page.getByRole("navigation");
  const overview = navigation.getByRole("link", { name: "Overview", exact: true });
  await expect(overview).toHaveAttribute("href", "/console/");
  const paths: string[] = [];
  for (const link of await navigation.getByRole("link").all())
    paths.push((await link.getAttribute("href")) ?? "");
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    const { redirected, status } = await fetch(new URL(path, api.base));
    expect({ path, redirected, status }).toEqual({ path, redirected: false, status: 200 });
  }
  await overview.click();
  const isFirstPage = (url: URL) => `${url.origin}${url.pathname}` === api.base;
  await expect(page).toHaveURL(isFirstPage);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page).toHaveURL(isFirstPage);
});
