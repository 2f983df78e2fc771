/** An examination that doesn't end by itself: a book's link leads to a host that keeps its request waiting. */
import { expect } from "vitest";
import { startHost } from "../adapters/cloud-fetch-host.ts";
import { startApp } from "./app.ts";

/** An application with a link that is examined at once, and one whose host sends nothing before `respond` is called. */
export async function startWithWaitingLink() {
  const asked = Promise.withResolvers<void>();
  const responding = Promise.withResolvers<void>();
  const host = await startHost(async ({ url }, response) => {
    if (url === "/slow.pdf") {
      asked.resolve();
      await responding.promise;
    }
    response.end("%PDF-");
  });
  const variables = { CLOUD_FETCH_ALLOW_HOSTS: host.hostAndPort };
  const app = await startApp(variables);
  await app.make.language("en");
  const client = await app.admin();
  for (const name of ["fast", "slow"]) {
    const { id } = await app.make.book(name);
    const link = { languageCode: "en", fileType: "pdf", fileName: `${name}.pdf`, sourceType: "url" };
    const cloudUrl = `http://${host.hostAndPort}/${name}.pdf`;
    const { status } = await client.post(`/api/admin/books/${id}/files`, { ...link, cloudUrl });
    expect(status).toBe(201);
  }
  return { ...app, client, variables, asked: asked.promise, respond: () => responding.resolve() };
}
