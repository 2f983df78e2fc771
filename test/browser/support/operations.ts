/** The types of the API's operations, from the document from which the console has its own. */
import type { paths } from "../../../console/src/api/schema.d.ts";

type Verb = "get" | "post" | "put" | "patch" | "delete";

/** Method and path of an operation: `patch /api/admin/books/{bookId}`. */
export type OperationName = {
  [P in keyof paths]: { [V in Verb]: paths[P][V] extends Responding ? `${V} ${P}` : never }[Verb];
}[keyof paths];

interface Responding {
  responses: unknown;
}

type Operation<Name> = Name extends `${infer V extends Verb} ${infer P extends keyof paths}`
  ? paths[P][V]
  : never;

type JsonOf<R> = R extends { content: { "application/json": infer Body } } ? Body : never;

/** Undefined where there is no JSON. */
type OrNothing<Body> = [Body] extends [never] ? undefined : Body;

/** The JSON of a successful response; errors have another media type. */
export type BodyOf<Name extends OperationName> =
  Operation<Name> extends { responses: infer R }
    ? OrNothing<{ [S in keyof R]: JsonOf<R[S]> }[keyof R]>
    : never;

/** The JSON of a request. */
export type RequestOf<Name extends OperationName> =
  Operation<Name> extends { requestBody?: infer B } ? OrNothing<JsonOf<NonNullable<B>>> : never;
