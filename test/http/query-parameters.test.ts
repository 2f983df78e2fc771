/** The parameters that an operation doesn't know: ignored on public operations, and rejected on all others. */
import { expect, it } from "vitest";
import { z } from "zod";
import { listParameterNames, parseQuery } from "../../src/http/requests/query.ts";

const schema = z.strictObject({ startDate: z.string().optional(), limit: z.coerce.number().default(50) });

const messagesFor = (given: object) => {
  const parsed = parseQuery(schema, given, { names: listParameterNames(schema), isPublic: false });
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path}: ${message}`);
};

it.each([
  ["from", ""],
  ["start_date", " Did you mean startDate?"],
  ["limits", " Did you mean limit?"],
])("an unknown one is reported with the nearest one and with all that there are: %s", (name, question) => {
  expect(messagesFor({ [name]: "1", limit: "2" })).toEqual([
    `${name}: is not a field of this request.${question} The fields are: startDate, limit`,
  ]);
});

it("is rejected by an operation without parameters", () => {
  const parsed = parseQuery(undefined, { from: "1" }, { names: new Set(), isPublic: false });
  expect(parsed).toMatchObject({ ok: false, errors: [{ path: "from", code: "unknown_field" }] });
});

it("is ignored by a public operation", () => {
  const rules = { names: listParameterNames(schema), isPublic: true };
  expect(parseQuery(schema, { fbclid: "1", limit: "2" }, rules)).toEqual({ ok: true, value: { limit: 2 } });
});
