/** The pages of the library, as a browser asks for them and sends their forms. */
import type { TestApp } from "./app.ts";

export const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

type Headers = Readonly<Record<string, string>>;
type Api = Pick<TestApp, "api">;

export async function pageOf({ api }: Api, path: string, headers: Headers = {}) {
  const response = await api.get(path, { ...BROWSER, ...headers });
  return { ...response, status: response.status, headers: response.headers, html: response.body.toString() };
}

/** The addresses of the page's own links, resolved. */
export const linksIn = (html: string, path: string): string[] =>
  [...html.matchAll(/<a [^>]*href="(?!#)([^"]*)"/g)].map(([, href = ""]) => {
    const url = new URL(href.replaceAll("&#38;", "&"), `http://books.test${path}`);
    return url.pathname + url.search;
  });

/** Sends the form of a page. @returns where the response leads to, resolved, and its page */
export async function sendForm({ api }: Api, path: string, fields: Headers, headers: Headers = {}) {
  const response = await api.call("post", path, {
    headers: { ...BROWSER, "Content-Type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });
  const { pathname, search } = new URL(response.headers.location ?? "", `http://books.test${path}`);
  return {
    status: response.status,
    headers: response.headers,
    html: response.body.toString(),
    next: pathname + search,
  };
}
