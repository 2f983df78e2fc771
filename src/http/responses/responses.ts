/** The responses of a route: the shape of each status, and the replies that match it. */
import type { z } from "zod";
import type { CachedJson } from "../../lib/entity-tag.ts";
import { pathOfJob } from "../../schemas/jobs.schemas.ts";
import type { Delivered, Delivery } from "../../services/downloads/deliveries.service.ts";
import type { CsvDocument, Image, JsonDocument } from "../../services/shared/results.ts";

interface JsonResponse<S extends z.ZodType> {
  kind: "json";
  schema: S;
  description: string;
  /** Whether the entity tag is the version of the record. */
  hasVersion?: boolean;
  /** What clients get that prefer CSV: the header and one row. */
  csvExample?: string;
  /** Whether a browser gets a page in its place. */
  hasPage?: boolean;
}
export type ResponseSpec =
  | JsonResponse<z.ZodType>
  | ReturnType<typeof empty | typeof content | typeof csvContent>;
export type ResponseSpecs = Readonly<Record<number, ResponseSpec>>;

export const json = <S extends z.ZodType>(description: string, schema: S): JsonResponse<S> => ({
  kind: "json",
  schema,
  description,
});
/** JSON with one record, whose version is the entity tag. */
export const versioned = <S extends z.ZodType>(description: string, schema: S): JsonResponse<S> => ({
  ...json(description, schema),
  hasVersion: true,
});
/** JSON, or CSV for clients that prefer it. @param example the header and one row */
export const jsonOrCsv = <S extends z.ZodType>(description: string, schema: S, example: string) => ({
  ...json(description, schema),
  csvExample: example,
});
/** JSON, or a page for browsers. */
export const jsonOrPage = <S extends z.ZodType>(description: string, schema: S) => ({
  ...json(description, schema),
  hasPage: true as const,
});
export const empty = (description: string) => ({ kind: "empty", description }) as const;
export const content = (description: string, ...mediaTypes: string[]) =>
  ({ kind: "content", mediaTypes, description }) as const;
/** @param example the header and one row */
export const csvContent = (description: string, example: string) =>
  ({ kind: "csv", description, example }) as const;

/** The value of a cookie. */
export interface SignedToken {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A new session token for the cookie, or its removal. */
export type CookieChange = SignedToken | "clear";

/** A static document, such as a page or a script. */
export interface Content {
  mediaType: string;
  text: string;
  /** Replaces the policy of the API, which allows nothing. */
  contentSecurityPolicy?: string;
}

/** Of readers' pages: no script, and nothing from other hosts. Browsers would apply `form-action` to redirects, too. */
export const PAGE_POLICY =
  "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page for readers, composed by a service. */
export interface Page {
  bytes: Buffer;
  /** Undefined for a page that isn't kept. */
  etag: string | undefined;
  /** Of the page's own texts; undefined for a document that has none. */
  contentLanguage: string | undefined;
  /** Of the books on it, if they are in one language. */
  languageCode: string | undefined;
  /** Whether its address must not become known to other sites. */
  isSecret?: boolean;
  /** If it isn't HTML. */
  mediaType?: string;
}

interface Extras {
  headers?: Readonly<Record<string, string>>;
  /** Whether the address changes with the content. */
  isImmutable?: boolean;
  cookie?: CookieChange;
  /** A token that identifies the browser at the next log-in. */
  knownDevice?: SignedToken;
  /** A token that identifies the browser in which a reader has confirmed an address. */
  confirmedBrowser?: SignedToken | undefined;
}

/** Any reply, independent of the route. */
export type Reply = Extras &
  (
    | { status: number; body: unknown }
    | { status: number; cached: CachedJson<unknown> }
    | { status: number; content: Content }
    | { status: number; page: Page }
    | { status: number; delivery: Delivery }
    | { status: number; image: Image }
    | { status: number; csv: CsvDocument }
    | { status: number; document: JsonDocument<unknown> }
    | { status: number; empty: true }
  );

type ReplyWith<Status, A> =
  A extends JsonResponse<infer S>
    ?
        | { status: Status; body: z.input<S> }
        | { status: Status; cached: CachedJson<z.input<S>> }
        | { status: Status; document: JsonDocument<z.input<S>> }
        | (A extends { csvExample: string } ? { status: Status; csv: CsvDocument } : never)
        | (A extends { hasPage: true } ? { status: Status; page: Page } : never)
    : A extends ReturnType<typeof content>
      ?
          | { status: Status; content: Content }
          | { status: Status; page: Page }
          | { status: Status; delivery: Delivery }
          | { status: Status; image: Image }
      : A extends ReturnType<typeof csvContent>
        ? { status: Status; csv: CsvDocument }
        : { status: Status; empty: true };

/** The replies that a route's responses permit. */
export type ReplyFor<A extends ResponseSpecs> = Extras &
  { [Status in keyof A & number]: ReplyWith<Status, A[Status]> }[keyof A & number];

/** 200 with a body. */
export const ok = <const T>(body: T) => reply(200, body);

/** 200 with a cached body. */
export const okCached = <T>(cached: CachedJson<T>) => ({ status: 200 as const, cached });

/** 200 after a deletion. */
export const confirmDeletion = async (deletion: Promise<void>) => {
  await deletion;
  return ok({ success: true });
};

/** 201 with the new resource, which is found below the path by its identifier. */
export const created = <const T extends { id: string | number }>(path: string, body: T, id = body.id) => ({
  ...reply(201, body),
  headers: { Location: `${path}/${id}` },
});

/** 202 with what says no more than that the request was received. */
export const received = <const T>(body: T) => reply(202, body);

/** 202 with the job that does the work, or with what it does. */
export const accepted = <const T extends { id: string }>(job: T, location = pathOfJob(job.id)) => ({
  ...reply(202, job),
  headers: { Location: location },
});

/** The reply with the version of its record as entity tag. */
export const withVersion = <R extends Extras & { status: number }>(
  reply: R,
  { version }: { version: string },
) => ({
  ...reply,
  headers: { ...reply.headers, ETag: `"${version}"` },
});

/** 204 */
export const noContent = () => ({ status: 204 as const, empty: true as const });

/** 200 with a static document. */
export const okContent = (document: Content) => ({ status: 200 as const, content: document });

/** 200 with an image; 206, 304 or a problem depending on the request's conditions. */
export const okImage = (image: Image) => ({ status: 200 as const, image });

/** 200 with a CSV table to save under its file name. */
export const okCsv = (csv: CsvDocument) => ({ status: 200 as const, csv });

/** 200 with a long JSON document to save under its file name. */
export const okDocument = <T>(document: JsonDocument<T>) => ({ status: 200 as const, document });
/** The content of a download link; the status depends on the request's conditions. */
export const delivered = ({ delivery, confirmedBrowser }: Delivered) => ({
  status: 200 as const,
  delivery,
  confirmedBrowser,
});

/**
 * 303 to the requested download, for a browser that submitted a form.
 * @param location relative to the request
 */
export const seeOther = (location: string) => ({
  status: 303 as const,
  empty: true as const,
  headers: { Location: location },
});

export const reply = <const S extends number, const T>(status: S, body: T) => ({ status, body });
