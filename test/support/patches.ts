/** The operations of PATCH that do the same as PUT, by id, with the id of PUT. */
import { routes } from "../../src/routes/index.ts";

export const PATCHES: ReadonlyMap<string, string> = new Map(
  routes.flatMap(({ id, patchId }) => (patchId === undefined ? [] : [[patchId, id]])),
);
