// Requests that the service accepts, for each operation of the document.
import fc from "fast-check";
import type { Document, Operation } from "../document.ts";
import type { Catalogue } from "../service/catalogue.ts";
import { createKnownFields, createPathParams } from "./known.ts";
import { createRecipes, type Recipes } from "./recipes.ts";
import type { Body, Draft, Headers, Sender } from "./request.ts";
import { Values } from "./values.ts";

/** Headers that change nothing. */
const ORDINARY: readonly Headers[] = [
  [],
  [],
  [["Accept", "*/*"]],
  [["Accept", "application/json"]],
  [["Accept-Language", "fr-CH, fr;q=0.9"]],
  [["X-Request-Id", "fuzz-0123456789"]],
  [["Sec-Fetch-Site", "same-origin"]],
  [["Cache-Control", "no-cache"]],
];

const METHODS_OF_GET = ["GET", "GET", "GET", "GET", "HEAD"];

export class Drafts {
  readonly #catalogue: Catalogue;
  readonly #values: Values;
  readonly #recipes: Recipes;

  constructor(document: Document, catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#values = new Values(document, createKnownFields(catalogue));
    this.#recipes = createRecipes({ catalogue, values: this.#values });
  }

  createAccepted(operation: Operation): fc.Arbitrary<Draft> {
    const { ruleId, method, path } = operation;
    return fc
      .record({
        method: method === "get" ? fc.constantFrom(...METHODS_OF_GET) : fc.constant(method.toUpperCase()),
        params: createPathParams(operation, this.#catalogue),
        query: this.#createQuery(operation),
        sender: fc.constantFrom(...listAdmitted(operation)),
        headers: fc.constantFrom(...ORDINARY),
        body: this.#createBody(operation),
        recipe: this.#recipes[ruleId] ?? fc.constant({}),
      })
      .map(({ recipe, ...draft }) => ({ ...draft, path, ...recipe }));
  }

  #createQuery({ parameters }: Operation): fc.Arbitrary<Record<string, unknown>> {
    const inQuery = parameters.filter((parameter) => parameter.in === "query");
    const model = Object.fromEntries(
      inQuery.map(({ name, schema }) => [name, this.#values.field(name, schema)]),
    );
    const none = fc.constant<Record<string, unknown>>({});
    return fc.oneof(none, fc.record(model, { requiredKeys: [], noNullPrototype: true }));
  }

  #createBody({ body }: Operation): fc.Arbitrary<Body> {
    const nothing = fc.constant<Body>({ kind: "none" });
    const schema = body?.content["application/json"]?.schema;
    if (!schema) return nothing;
    return this.#values.of(schema).map((value) => ({ kind: "json", value }));
  }
}

/** Who may call it. The document says which credentials count; of the roles only the administrator may do all. */
function listAdmitted({ takes }: Operation): Sender[] {
  if (takes.length === 0) return ["anonymous", "admin"];
  return takes.includes("bearer") ? ["admin", "editor", "full key"] : ["admin"];
}
