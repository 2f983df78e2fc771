/** One plausible call of every route: with ids that exist and the document's own example as body. */

import type { Route } from "../../src/http/route.ts";
import type { Client } from "./client.ts";
import { findOperation } from "./operations.ts";

/** @param ids values of path parameters by name; a parameter that isn't named gets an id of nothing */
export function createExamplePath(
  { path }: Route,
  ids: Readonly<Record<string, string | number>> = {},
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name] ?? NOTHING));
}

const NOTHING = "01a1fb60-0000-7000-8000-000000000000";

/** The document's own example of a JSON body; undefined where none is taken. */
export const findExampleBody = (route: Route): unknown =>
  findOperation(route).requestBody?.content["application/json"]?.example;

/** Calls a route with the example of its body: JSON where it takes JSON, else a form with a small text file. */
export function callExample(
  client: Client,
  route: Route,
  ids: Readonly<Record<string, string | number>> = {},
  query = "",
) {
  const path = createExamplePath(route, ids) + query;
  const json = findExampleBody(route);
  if ("multipart/form-data" in (findOperation(route).requestBody?.content ?? {}) && json === undefined) {
    return client.call(route.method, path, { form: { file: { bytes: Buffer.from("text"), name: "a.txt" } } });
  }
  return client.call(route.method, path, json === undefined ? {} : { body: json });
}
