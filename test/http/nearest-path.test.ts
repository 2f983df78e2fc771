/** The path or operation that a request probably meant. */
import { expect, it } from "vitest";
import { createPathFinder, findOperationBelow } from "../../src/http/nearest-path.ts";
import { routes } from "../../src/routes/index.ts";

const findNearestPath = createPathFinder([...new Set(routes.map(({ path }) => path))]);

it.each([
  ["/api/admin/book", "/api/admin/books"],
  ["/api/Books", "/api/books"],
  ["/api/books/", "/api/books"],
  ["//api//books", "/api/books"],
  ["/books", "/api/books"],
  ["/admin/languages/7", "/api/admin/languages/{langId}"],
  ["/api/admin/books/1/cover/es", "/api/admin/books/{bookId}/covers/{languageCode}"],
  ["/api/admin/apikeys", "/api/admin/api-keys"],
  ["/api/downlod/some.secret.token", "/api/download/{token}"],
])("%s is near to %s", (path, nearest) => {
  expect(findNearestPath(path)).toBe(nearest);
});

it.each([
  "/",
  "/admin",
  "/login",
  "/wp-login.php",
  "/api/admn/bok",
  "/api/books/1/2/3/4",
  `/api/book${"s".repeat(200)}`,
])("nothing is near to %s", (path) => {
  expect(findNearestPath(path)).toBeUndefined();
});

it.each([
  ["POST", "/api/admin/books/{bookId}/covers", "PUT /api/admin/books/{bookId}/covers/{languageCode}"],
  ["DELETE", "/api/admin/books", "DELETE /api/admin/books/{bookId}"],
  ["PATCH", "/api/admin/channels", "PATCH /api/admin/channels/{channelId}"],
  ["POST", "/api/admin/books/{bookId}", undefined],
  ["PROPFIND", "/api/books", undefined],
])("%s on %s has %s below it", (method, path, operation) => {
  expect(findOperationBelow(path, method, routes)).toBe(operation);
});
