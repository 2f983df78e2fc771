/** What the stand-in has unless a test gives something else, where the examples of the document don't fit together. */
import { unauthorized } from "../../../src/errors.ts";
import { ROLE_PERMISSIONS, type Role } from "../../../src/schemas/permissions.ts";
import type { StandIn } from "./stand-in.ts";

/** The page of the book that the document's examples are about. */
export const BOOK = "books/01a1fb60-1a34-772b-a309-dba157e20a81";

/** The page of the contact of the examples. */
export const CONTACT = "contacts/01a1fb60-1a34-772b-a309-dba157e20a85";

const DAY_MS = 86_400_000;

interface Known {
  /** The administrator unless given. */
  role?: Role;
  id?: string;
  /** The limit of uploads. */
  maxUploadBytes?: number;
  /** Whether the service sends letters. */
  hasMail?: boolean;
}

function createSession(api: StandIn, { role = "admin", id, maxUploadBytes, hasMail = false }: Known) {
  const example = api.example("get /api/auth/session");
  const limits = { ...example.limits, ...(maxUploadBytes !== undefined && { maxUploadBytes }) };
  const session = { ...example, limits, features: { ...example.features, mail: hasMail } };
  const permissions = [...ROLE_PERMISSIONS[role]];
  const user = { ...session.user, id: id ?? session.user.id, role, permissions };
  return { ...session, user, expiresAt: new Date(Date.now() + DAY_MS).toISOString() };
}

/** Somebody is logged in, and is so again after a log-in. */
export function beginSession(api: StandIn, known: Known = {}): void {
  const session = createSession(api, known);
  api.refusal = undefined;
  api.on("get /api/auth/session", () => session);
  admitUser(api, known);
  api.on("post /api/auth/logout", () => {
    endSession(api);
    return api.example("post /api/auth/logout");
  });
}

/** Who is logged in after the next log-in. */
export function admitUser(api: StandIn, known: Known): void {
  const { user, expiresAt } = createSession(api, known);
  api.on("post /api/auth/login", () => {
    beginSession(api, known);
    return { user, expiresAt };
  });
}

/** No user is logged in any more. */
export function endSession(api: StandIn): void {
  const refusal = unauthorized("unauthenticated", "The session has expired or was ended.");
  const reject = () => {
    throw refusal;
  };
  api.refusal = refusal;
  api.on("get /api/auth/session", reject);
  api.on("post /api/auth/logout", reject);
}

/** The languages of the examples. */
export function addLanguages(api: StandIn): void {
  const { languages } = api.example("get /api/admin/languages");
  const spanish = languages.map((arabic) => ({
    ...arabic,
    id: 2,
    code: "es",
    name: "Spanish",
    nativeName: "español",
    direction: "ltr" as const,
  }));
  api.on("get /api/admin/languages", () => ({ languages: [...languages, ...spanish] }));
}
