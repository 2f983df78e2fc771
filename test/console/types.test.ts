/** The types of the console are those of the present document. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../support/modules.ts";

it("names the present openapi.json in the types of the console: run `npm run console-types`", () => {
  const [first] = readFileSync(join(PROJECT, "console/src/api/schema.d.ts"), "utf8").split("\n");
  const hash = createHash("sha256")
    .update(readFileSync(join(PROJECT, "openapi.json")))
    .digest("hex");
  expect(first).toBe(`// openapi.json ${hash}`);
});
