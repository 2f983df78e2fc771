/** The public site. */
import { expect, it } from "vitest";
import { startApp } from "../support/app.ts";

it("lists nothing where nothing is published", async () => {
  const { api } = await startApp();
  const answer = await api.get("/api/books");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    books: [],
    pagination: { page: 1, limit: 50, total: 0, totalPages: 0 },
    language: null,
  });
});

it("offers a book once it has a file", async () => {
  const { api, make } = await startApp();
  await make.language("sw");
  await make.published("A Well for Everyone", "sw");
  const answer = await api.get("/api/books?languageCode=sw");
  expect(answer.body.pagination.total).toBe(1);
  expect(answer.body.books[0]).toMatchObject({
    slug: "a-well-for-everyone",
    languages: ["sw"],
    languageCode: "sw",
  });
});
