/** The error codes: each is documented, listed in the document, and belongs to the status that it is thrown with. */
import { readFileSync } from "node:fs";
import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { renderErrorPage } from "../../scripts/error-page.ts";
import type { AppError, badRequest, conflict, FieldError } from "../../src/errors.ts";
import { titleOf } from "../../src/http/responses/problem.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { routes } from "../../src/routes/index.ts";
import { COMMAND_ERROR_CODES } from "../../src/schemas/command-error-codes.ts";
import {
  ERROR_CODES,
  type ErrorCode,
  FIELD_ERROR_CODES,
  type FieldErrorCode,
  fieldErrorCodeOf,
} from "../../src/schemas/error-codes.ts";
import { readModules } from "../support/modules.ts";

const { schemas } = openApiDocument(routes, "1.2.3").components;

it("are enums in the document", () => {
  expect(schemas.ErrorCode?.enum).toEqual(Object.keys(ERROR_CODES).sort());
  expect(schemas.FieldErrorCode?.enum).toEqual(Object.keys(FIELD_ERROR_CODES).sort());
  expect(Object.keys(COMMAND_ERROR_CODES).filter((code) => code in ERROR_CODES)).toEqual([]);
});

it("don't compile if they aren't listed, or belong to another status", () => {
  expectTypeOf<ConstructorParameters<typeof AppError>[1]>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<FieldError["code"]>().toEqualTypeOf<FieldErrorCode>();
  expectTypeOf<"odd_request">().not.toExtend<ErrorCode>();
  expectTypeOf<"odd">().not.toExtend<FieldErrorCode>();
  expectTypeOf<"slug_taken">().not.toExtend<Parameters<typeof badRequest>[0]>();
  expectTypeOf<"slug_taken">().toExtend<Parameters<typeof conflict>[0]>();
});

it("of a library are accepted if they are listed", () => {
  expect(fieldErrorCodeOf("too_small")).toBe("too_small");
  for (const unknown of ["odd", "toString", 7, undefined])
    expect(fieldErrorCodeOf(unknown)).toBe("invalid_value");
});

it("of our own rules are all named: a rule without a code couldn't be distinguished", async () => {
  expect(Object.keys(FIELD_ERROR_CODES)).not.toContain("custom");
  const rules = [...rulesIn(await schemaModules())];
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.filter((rule) => fieldErrorCodeOf(codeOf(rule)) !== codeOf(rule)).map(messageOf)).toEqual([]);
  const unnamed = readModules("src").flatMap(({ path, text }) =>
    [...text.matchAll(/addIssue\(\{(?:(?!withCode)[^}])*\}/g)].map(([issue]) => `${path}: ${issue}`),
  );
  expect(unnamed).toEqual([]);
});

it("have a known status, a meaning and a remedy in whole sentences", () => {
  for (const [code, { status, meaning, remedy }] of Object.entries(ERROR_CODES)) {
    expect(titleOf(status), code).not.toBe("Error");
    for (const sentence of [meaning, remedy]) expect(sentence, code).toMatch(/^[A-Z`].*\.$/);
  }
  for (const [code, meaning] of Object.entries(FIELD_ERROR_CODES))
    expect(meaning, code).toMatch(/^[A-Z`].*\.$/);
});

it("of our own rules are set only by withCode, so that an unlisted one doesn't compile", () => {
  // Routes have no rules, and paths with a parameter of that name.
  const modules = readModules("src").filter(({ path }) => !path.startsWith("src/routes/"));
  const given = modules.filter(({ text }) => /params: (?!withCode)[^;]*\bcode\b/.test(text));
  expect(given.map(({ path }) => path)).toEqual([]);
});

it("are each used in the source", () => {
  const source = readModules("src")
    .filter(({ path }) => path !== "src/schemas/error-codes.ts")
    .map(({ text }) => text)
    .join("\n");
  const codes = [...Object.keys(ERROR_CODES), ...Object.keys(COMMAND_ERROR_CODES)];
  expect(codes.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
});

it("are the same in docs/errors.md (npm run errors)", () => {
  expect(readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")).toBe(renderErrorPage());
});

/** What the schemas of requests and responses export; those of the environment's variables name no codes. */
function schemaModules(): Promise<unknown[]> {
  const paths = readModules("src/schemas").map(({ path }) => path);
  return Promise.all(
    paths
      .filter((path) => !path.endsWith("/variables.ts"))
      .map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
  );
}

/** Every `refine` and `z.custom`, at any depth of any schema. */
function* rulesIn(value: unknown, seen = new Set<unknown>()): Generator<z.core.$ZodCustom> {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof z.core.$ZodCustom) yield value;
  const isSchema = value instanceof z.core.$ZodType || value instanceof z.core.$ZodCheck;
  const parts: object = isSchema ? value._zod.def : value;
  for (const part of Object.values(parts)) yield* rulesIn(part, seen);
}

const codeOf = ({ _zod: { def } }: z.core.$ZodCustom): unknown => def.params?.code;
const messageOf = ({ _zod: { def } }: z.core.$ZodCustom): unknown =>
  def.error?.({ code: "custom", input: "" }) ?? "?";
