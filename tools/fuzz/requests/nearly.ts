// Requests of which one thing is wrong: a field that is missing, too much, too long, of another type or encoding.
import fc from "fast-check";
import { HOSTILE_TEXTS } from "./hostile-texts.ts";
import type { Body, Draft, Part } from "./request.ts";

type Spoil = { kind: "remove" } | { kind: "add"; name: string } | Replacement;

interface Replacement {
  kind: "replace";
  value: unknown;
  /** What takes a text's place in most cases: another type is soon refused. */
  text: string;
  isOfType: boolean;
}

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  -0,
  "",
  " ",
  "1",
  "true",
  [],
  [null],
  {},
  { id: 1 },
  "x".repeat(20_000),
];

const EXTRA_NAMES = [
  "id",
  "createdAt",
  "isActive",
  "role",
  "__proto__",
  "constructor",
  "toString",
  "",
  "ä",
  "a.b",
];

const spoils: fc.Arbitrary<Spoil> = fc.oneof(
  fc.constant<Spoil>({ kind: "remove" }),
  fc.constantFrom(...EXTRA_NAMES).map((name): Spoil => ({ kind: "add", name })),
  {
    arbitrary: fc.record({
      kind: fc.constant("replace" as const),
      value: fc.constantFrom(...WRONG_VALUES),
      text: fc.constantFrom(...HOSTILE_TEXTS),
      isOfType: fc.nat(3).map((chance) => chance > 0),
    }),
    weight: 3,
  },
);

const replacement = (given: unknown, { value, text, isOfType }: Replacement): unknown =>
  isOfType && typeof given === "string" ? text : value;

/** The same request, but for one thing. */
export const createNearly = (draft: Draft): fc.Arbitrary<Draft> =>
  fc
    .tuple(fc.nat(0xffff), spoils)
    .chain(([place, spoil]) => fc.constantFrom(...spoilDraft(draft, place, spoil)));

/** One for each part of the request that can be spoiled. */
function spoilDraft(draft: Draft, place: number, spoil: Spoil): Draft[] {
  const { params, query, body } = draft;
  const hasParams = Object.keys(params).some((name) => draft.path.includes(`{${name}}`));
  const withQuery = { ...draft, query: spoilFields(query, place, spoil) };
  const bodied = spoilBody(body, place, spoil).map((spoiled) => ({ ...draft, body: spoiled }));
  return [
    // Most errors are in bodies.
    ...bodied,
    ...bodied,
    withQuery,
    ...(hasParams && spoil.kind === "replace" ? [{ ...draft, params: spoilParams(draft, spoil) }] : []),
  ];
}

const spoilParams = ({ path, params }: Draft, spoil: Replacement) =>
  Object.fromEntries(
    Object.entries(params).map(([name, given]) => [
      name,
      // An empty one would make another path.
      path.includes(`{${name}}`) ? textOf(replacement(given, spoil)) || "0" : given,
    ]),
  );

function spoilFields(fields: Readonly<Record<string, unknown>>, place: number, spoil: Spoil) {
  const names = Object.keys(fields);
  const name = names[place % Math.max(names.length, 1)] ?? "page";
  if (spoil.kind === "add") return { ...fields, [spoil.name || "x"]: "1" };
  const { [name]: _, ...others } = fields;
  return spoil.kind === "remove" ? others : { ...others, [name]: textOf(replacement("", spoil)) };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, 2000) : (JSON.stringify(value) ?? "");

function spoilBody(body: Body, place: number, spoil: Spoil): Body[] {
  if (body.kind === "none") return [];
  if (body.kind === "json") return [{ kind: "json", value: spoilValue(body.value, place, spoil) }];
  if (body.kind === "bytes") return [{ ...body, bytes: body.bytes.subarray(0, place % body.bytes.length) }];
  return [{ kind: "form", parts: spoilParts(body.parts, place, spoil) }];
}

function spoilParts(parts: readonly Part[], place: number, spoil: Spoil): readonly Part[] {
  const at = place % Math.max(parts.length, 1);
  if (spoil.kind === "add") return [...parts, { name: spoil.name, content: "1" }];
  if (spoil.kind === "remove") return parts.toSpliced(at, 1);
  return parts.map((part, index) =>
    index === at ? { ...part, content: textOf(replacement("", spoil)) } : part,
  );
}

/** Something inside, or the whole, is spoiled. */
function spoilValue(value: unknown, place: number, spoil: Spoil): unknown {
  if (typeof value !== "object" || value === null)
    return spoil.kind === "replace" ? replacement(value, spoil) : value;
  const entries: [string, unknown][] = Object.entries(value);
  const [name, inner] = entries[place % Math.max(entries.length, 1)] ?? [];
  const goesDeeper = place % 3 !== 0 && typeof inner === "object" && inner !== null;
  const spoiled = goesDeeper
    ? entries.map(([each, given]) => [each, each === name ? spoilValue(given, place >> 2, spoil) : given])
    : spoilEntries(entries, name, spoil);
  if (Array.isArray(value)) return spoiled.map(([, element]) => element);
  // An own field of any name, `__proto__` too.
  return Object.fromEntries(spoiled);
}

function spoilEntries(entries: readonly [string, unknown][], name: string | undefined, spoil: Spoil) {
  if (spoil.kind === "add") return [...entries, [spoil.name, 1]];
  if (spoil.kind === "remove") return entries.filter(([each]) => each !== name);
  return entries.map(([each, given]) => [each, each === name ? replacement(given, spoil) : given]);
}
