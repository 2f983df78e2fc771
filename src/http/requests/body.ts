/** Reads queries and request bodies: JSON, forms and uploads. */
import type { Request, Response } from "express";
import { z } from "zod";
import { badRequest, unsupportedMediaType } from "../../errors.ts";
import { type LongLists, type Parsed, parse, parseLists } from "../../schemas/parse.ts";
import type { UploadedFile } from "../../services/files/files.service.ts";
import { readForm } from "./form.ts";
import { type FormOrigins, rejectForeignForm } from "./form-origin.ts";
import {
  MAX_FORM_BYTES,
  MAX_JSON_BYTES,
  parseJson,
  receiveBody,
  rejectCompression,
  rejectEncoding,
} from "./json.ts";
import { type ReceiveFile, receiveMultipart, signalLeaving } from "./upload.ts";

/** The parts of the application that reading a body needs. */
export interface BodyTools {
  receiveFile: ReceiveFile;
  /** The websites whose pages may submit forms. */
  formOrigins: FormOrigins;
}

interface BodyShape {
  mediaType: string;
  /** Undefined for raw bytes. */
  schema: z.ZodType | undefined;
  hasFile: boolean;
  /** Accepted but not in the OpenAPI document: generated clients support one body type per operation. */
  isUndocumented?: boolean;
}

export interface BodySpec<B> {
  readonly isRequired: boolean;
  readonly shapes: readonly BodyShape[];
  read(req: Request, res: Response, tools: BodyTools): Promise<Parsed<B>>;
  /** Discards what the handler didn't keep. */
  discard(body: B): Promise<void>;
}

interface JsonBodyOptions {
  isRequired?: boolean;
  /** 1 MiB by default. */
  maxBytes?: number;
  /** The schema for the document, if `schema` checks only a part of the body. */
  documented?: z.ZodType;
}

/** JSON of at most `maxBytes`. */
export function jsonBody<S extends z.ZodType>(
  schema: S,
  { isRequired = true, maxBytes = MAX_JSON_BYTES, documented = schema }: JsonBodyOptions = {},
): BodySpec<z.output<S>> {
  return {
    isRequired,
    shapes: [{ mediaType: "application/json", schema: documented, hasFile: false }],
    async read(req) {
      return parse(schema, await readJson(req, isRequired, maxBytes), "body");
    },
    discard: async () => {},
  };
}

/** JSON with lists of thousands of items, whose schema would hold the event loop. */
export function jsonListsBody<S extends z.ZodType>(
  documented: S,
  lists: LongLists,
  { maxBytes = MAX_JSON_BYTES }: Pick<JsonBodyOptions, "maxBytes"> = {},
): BodySpec<z.output<S>> {
  return {
    isRequired: true,
    shapes: [{ mediaType: "application/json", schema: documented, hasFile: false }],
    read: async (req) => parseLists<z.output<S>>(lists, await readJson(req, true, maxBytes)),
    discard: async () => {},
  };
}

/** JSON of either schema; the field decides, which only the first one has. */
export function jsonByField<One extends z.ZodType, Other extends z.ZodType>(
  field: string,
  one: One,
  other: Other,
): BodySpec<z.output<One> | z.output<Other>> {
  return {
    ...jsonBody(one),
    async read(req) {
      const given = await readJson(req, true, MAX_JSON_BYTES);
      const hasField = typeof given === "object" && given !== null && field in given;
      return parse(hasField ? one : other, given, "body");
    },
  };
}

const FORM_TYPE = "application/x-www-form-urlencoded";

export const isForm = (req: Request): boolean => Boolean(req.is(FORM_TYPE));

/** JSON, or the same data as flat fields of an HTML form, for pages without scripts. */
export function jsonOrForm<B>(schema: z.ZodType<B>, form: z.ZodType<NoInfer<B>>): BodySpec<B> {
  const json = jsonBody(schema, { maxBytes: MAX_FORM_BYTES });
  return {
    ...json,
    shapes: [...json.shapes, { mediaType: FORM_TYPE, schema: form, hasFile: false }],
    async read(req, res, tools) {
      if (!isForm(req)) return json.read(req, res, tools);
      await rejectForeignForm(req, tools.formOrigins);
      return parse(form, await readForm(req), "body");
    },
  };
}

/** JSON, a form or nothing, from any page and without one: who knows the address may send it. */
export function openBody<B>(schema: z.ZodType<B>, form: z.ZodType<NoInfer<B>>): BodySpec<B> {
  const json = jsonBody(schema, { isRequired: false, maxBytes: MAX_FORM_BYTES });
  return {
    ...json,
    shapes: [...json.shapes, { mediaType: FORM_TYPE, schema: form, hasFile: false }],
    async read(req, res, tools) {
      if (isForm(req)) return parse(form, await readForm(req), "body");
      // RFC 8058, 3.2 permits it; its only field says what the address says.
      return isMultipart(req) ? parse(schema, {}, "body") : json.read(req, res, tools);
    },
  };
}

/** The fields of an HTML form as they were typed, for an operation that shows them again. */
export const formBody = (documented: z.ZodType): BodySpec<Readonly<Record<string, string>>> => ({
  isRequired: true,
  shapes: [{ mediaType: FORM_TYPE, schema: documented, hasFile: false }],
  async read(req, _res, { formOrigins }) {
    if (!isForm(req)) throw wrongType(FORM_TYPE);
    await rejectForeignForm(req, formOrigins);
    return { ok: true, value: await readForm(req) };
  },
  discard: async () => {},
});

export interface Upload<F> {
  fields: F;
  file: UploadedFile;
}

/** `multipart/form-data` with one part `file` and text fields. */
export function uploadBody<S extends z.ZodType>(fields: S): BodySpec<Upload<z.output<S>>> {
  return {
    isRequired: true,
    shapes: [{ mediaType: "multipart/form-data", schema: fields, hasFile: true }],
    async read(req, res, { receiveFile }) {
      if (!isMultipart(req)) throw wrongType("multipart/form-data");
      const received = await receiveMultipart(req, res, receiveFile);
      const parsed = parse(fields, received.fields, "body");
      const { file } = received;
      if (parsed.ok && file) return { ok: true, value: { fields: parsed.value, file } };
      await file?.discard();
      return { ok: false, errors: [...(parsed.ok ? [] : parsed.errors), ...(file ? [] : [missingFile])] };
    },
    discard: ({ file }) => file.discard(),
  };
}

interface ContentBounds {
  maxFileBytes?: number;
  /** The media types of raw bodies for the document. The actual type is detected from the content. */
  mediaTypes?: readonly string[];
}

/** New content of a file: multipart with one part `file`, or the raw bytes (`curl -T`). */
export function contentBody({
  maxFileBytes,
  mediaTypes = ["application/octet-stream"],
}: ContentBounds = {}): BodySpec<Upload<object>> {
  const multipart = uploadBody(z.strictObject({}));
  return {
    ...multipart,
    shapes: [
      ...multipart.shapes,
      ...mediaTypes.map((mediaType) => ({ mediaType, schema: undefined, hasFile: true })),
    ],
    async read(req, res, tools) {
      const { receiveFile } = tools;
      const receive: ReceiveFile = (source, { signal }) =>
        receiveFile(source, { signal, maxBytes: maxFileBytes });
      if (isMultipart(req)) return multipart.read(req, res, { ...tools, receiveFile: receive });
      if (req.is(["json", "urlencoded"])) throw wrongType("multipart/form-data or the content of the file");
      rejectCompression(req);
      rejectPart(req);
      const received = await receive(req, { signal: signalLeaving(res) });
      return { ok: true, value: { fields: {}, file: { ...received, originalName: "" } } };
    },
  };
}

/** `curl -C - -T` sends the rest of a file, which would replace the whole one. */
function rejectPart(req: Request): void {
  if (req.headers["content-range"] !== undefined)
    throw badRequest("partial_content", "The body is only a part of a file. Send the whole file.");
}

/** An upload or, for clients that support it, JSON that names or describes a file. */
export function uploadOrJson<U, J>(
  upload: BodySpec<Upload<U>>,
  json: BodySpec<J>,
): BodySpec<({ kind: "upload" } & Upload<U>) | { kind: "json"; json: J }> {
  const takesBytes = upload.shapes.some(({ schema }) => schema === undefined);
  return {
    isRequired: true,
    shapes: [...upload.shapes, ...json.shapes.map((shape) => ({ ...shape, isUndocumented: true }))],
    async read(req, res, tools) {
      if (req.is("json")) {
        const parsed = await json.read(req, res, tools);
        return parsed.ok ? { ok: true, value: { kind: "json", json: parsed.value } } : parsed;
      }
      if (!isMultipart(req) && !takesBytes) throw wrongType("multipart/form-data or application/json");
      const parsed = await upload.read(req, res, tools);
      return parsed.ok ? { ok: true, value: { kind: "upload", ...parsed.value } } : parsed;
    },
    discard: async (body) => (body.kind === "upload" ? upload.discard(body) : undefined),
  };
}

const missingFile = {
  in: "body",
  path: "file",
  message: "is required: send a part named file",
  code: "missing",
} as const;

const isMultipart = (req: Request): boolean => Boolean(req.is("multipart/form-data"));

export const hasBody = ({ headers }: Pick<Request, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const wrongType = (wanted: string) =>
  unsupportedMediaType("unsupported_media_type", `The body must be ${wanted}.`, {
    headers: { Accept: wanted.includes(" ") ? "multipart/form-data" : wanted },
  });

function assertJson(req: Request): void {
  if (!req.is("application/json")) throw wrongType("application/json");
  rejectEncoding(req);
}

/**
 * An empty object if an optional body is missing. Some clients announce one (`Transfer-Encoding`) and send no byte; its
 * type and encoding are ignored then.
 */
async function readJson(req: Request, isRequired: boolean, maxBytes: number): Promise<unknown> {
  if (isRequired) {
    if (!hasBody(req)) throw badRequest("body_missing", "The request requires a JSON body.");
    assertJson(req);
  }
  if (!hasBody(req)) return {};
  const bytes = await receiveBody(req, maxBytes);
  if (!isRequired) {
    if (bytes.length === 0) return {};
    assertJson(req);
  }
  return parseJson(bytes);
}
