/** The OpenAPI 3.1 document, built from the route table and its schemas. */
import { type Route, TAGS } from "../http/route.ts";
import { SchemaRegister, sortComponents } from "./json-schema.ts";
import { describeOperation } from "./operation.ts";
import { addProblemSchema, describeProblems } from "./problems.ts";

const DESCRIPTION = `Publish and distribute books in many languages. The library of the service shows the published books to readers, and so can a website, through this API; administrators manage the catalogue, contacts and reports.

## Logging in

- **On this page**: open *Authentication* below and run \`POST /api/auth/login\` with your e-mail address and password. Your browser keeps the session cookie, and all operations then work. You can't enter the cookie under *Authorize*.
- **In a program**: send an API key as \`Authorization: Bearer <key>\`. API keys work for the catalogue (books, bulk upsert, translations, files, covers and imports) and for the forms of readers. For everything else, log in and send the cookie \`auth.session-token\` back.

## Conventions

- Timestamps are ISO 8601 in UTC with milliseconds, such as \`2026-03-01T12:00:00.000Z\`. Flags such as \`isActive\` are the integers 1 and 0.
- \`null\` in a creation is the same as leaving the field out. In an update, a field that is left out keeps its value, and \`null\` clears what can be empty; for other fields it is invalid (400). Each item of a bulk upsert counts as a creation or an update, depending on whether the book exists.
- Paged lists take \`page\` and \`limit\` and return \`pagination\`.
- Public reads, lists of books and reports are compressed if \`Accept-Encoding\` permits. Each coding has an \`ETag\` of its own, and \`If-None-Match\` with any of them returns 304.
- Paths in responses, such as \`downloadUrl\` and \`coverUrl\`, are relative to the server's address.

## Errors

Every error is a problem document (RFC 9457, \`application/problem+json\`) with a stable \`code\`. \`errors\` lists every invalid value of the request.

## Later versions

Responses may get further fields, and further values where a list of known values is an alternative to any other text, such as \`code\`, \`role\` and \`fileType\`. Ignore fields that you don't know, and expect values that you don't know.`;

/** Takes 300 ms, so it is composed by `npm run openapi` and served from the file. */
export function openApiDocument(routes: readonly Route[], version: string) {
  const register = new SchemaRegister();
  const operations = routes.map((route) => ({ route, operation: describeOperation(route, register) }));
  const shared = shareParameters(operations.map(({ operation }) => operation));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { route, operation } of operations) {
    const parameters = operation.parameters.map(shared.refer);
    paths[route.path] = { ...paths[route.path], [route.method]: { ...operation, parameters } };
  }
  const referring = JSON.stringify(paths);
  const responses = Object.entries(describeProblems(addProblemSchema(register))).filter(([name]) =>
    referring.includes(`#/components/responses/${name}"`),
  );
  return {
    openapi: "3.1.1",
    info: {
      title: "Book Distribution Service",
      version,
      description: DESCRIPTION,
      contact: { name: "The operator of this installation" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(TAGS)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: sortComponents(register),
      parameters: shared.components,
      responses: Object.fromEntries(responses),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const SECURITY_SCHEMES = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "auth.session-token",
    description:
      "The session cookie, set by `POST /api/auth/login`. Leave this field empty: a web page can't set the cookie. Run the log-in operation instead; your browser then sends the cookie automatically.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "An API key, created by `POST /api/admin/api-keys`. Enter it without the word `Bearer`.",
  },
};

// Parameters that several operations have in common are components of the document.

type Operation = ReturnType<typeof describeOperation>;
type Parameter = Operation["parameters"][number];

interface SharedParameters {
  /** By name, in alphabetical order. */
  components: Record<string, Parameter>;
  /** The parameter, or the reference to it. */
  refer(parameter: Parameter): Parameter | { $ref: string };
}

/** A name that several of them have is followed by the tag of the first operation: `languageIdOfContacts`. */
function shareParameters(operations: readonly Operation[]): SharedParameters {
  const uses = operations.flatMap(({ tags, parameters }) =>
    parameters.map((parameter) => ({ parameter, tag: tags.join(""), key: JSON.stringify(parameter) })),
  );
  const shared = [...Map.groupBy(uses, ({ key }) => key).values()].flatMap(([first, second]) =>
    first && second ? [first] : [],
  );
  const byName = Map.groupBy(shared, ({ parameter }) => parameter.name);
  const named = shared.map((each) => {
    const { name } = each.parameter;
    const isOnly = byName.get(name)?.length === 1;
    return { ...each, component: isOnly ? name : `${name}Of${each.tag.replaceAll(" ", "")}` };
  });
  const names = new Map(named.map(({ key, component }) => [key, component]));
  if (new Set(names.values()).size < names.size)
    throw new Error(`Two parameters have the same name: ${[...names.values()].sort().join(", ")}`);
  const inOrder = named.sort((one, other) => (one.component < other.component ? -1 : 1));
  return {
    components: Object.fromEntries(inOrder.map(({ component, parameter }) => [component, parameter])),
    refer: (parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    },
  };
}
