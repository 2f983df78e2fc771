/** The fields of records in requests, and what `null` means in them. */
import { z } from "zod";
import { count, legacyDownloads, MAX_INT32, optional } from "./atoms.ts";

/**
 * A field in each kind of request. In a creation, `null` is the same as leaving the field out. In an update it clears what
 * can be empty, and is an error otherwise. An upsert is one or the other, depending on whether the record exists.
 */
interface Field {
  creation: z.ZodType;
  update: z.ZodType;
  upsert: z.ZodType;
}

type Fields = Readonly<Record<string, Field>>;

/** A field that a creation needs, and that is never empty. */
export const required = <S extends z.ZodType>(schema: S, description: string) => ({
  creation: schema.describe(description),
  update: schema.optional().describe(description),
  upsert: schema.describe(description),
});

/**
 * A field that a creation can leave out, and that is never empty. In an upsert, `null` is left to the service.
 * @param byDefault the value in a creation without the field, as a sentence
 */
export const kept = <S extends z.ZodType>(schema: S, description: string, byDefault = "") => ({
  creation: optional(schema).describe(`${description} ${byDefault}`.trim()),
  update: schema.optional().describe(description),
  upsert: schema.nullish().describe(`${description} ${byDefault}`.trim()),
});

/** A field that can be empty. @param empty the value that `null` stands for in an update */
export const clearable = <S extends z.ZodType, E>(schema: S, empty: E, description: string) => {
  const cleared = schema
    .nullable()
    .transform((given) => given ?? empty)
    .optional()
    .describe(`${description} \`null\` clears it.`);
  return { creation: optional(schema).describe(description), update: cleared, upsert: cleared };
};

export const legacyDownloadCount = kept(count.max(MAX_INT32), legacyDownloads.description ?? "");

type ObjectOf<F extends Fields, Kind extends keyof Field> = z.ZodObject<
  { [Name in keyof F]: F[Name][Kind] },
  z.core.$strict
>;

/** The body of a creation. */
export function creationOf<F extends Fields>(fields: F): ObjectOf<F, "creation">;
export function creationOf(fields: Fields): z.ZodObject {
  return strictObject(fields, "creation");
}

/** The body of an update: every field can be left out, and then keeps its value. */
export function updateOf<F extends Fields>(fields: F): ObjectOf<F, "update">;
export function updateOf(fields: Fields): z.ZodObject {
  return strictObject(fields, "update");
}

/** An item that creates a record, or updates it if it exists. */
export function upsertOf<F extends Fields>(fields: F): ObjectOf<F, "upsert">;
export function upsertOf(fields: Fields): z.ZodObject {
  return strictObject(fields, "upsert");
}

const strictObject = (fields: Fields, kind: keyof Field): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[kind]])));
