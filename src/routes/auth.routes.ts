/** Log-in, session and password. */
import { anyone, anySession } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { MAX_FORM_BYTES } from "../http/requests/json.ts";
import { empty, json, noContent, ok } from "../http/responses/responses.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { isoTime } from "../lib/time.ts";
import { success } from "../schemas/atoms.ts";
import {
  loginRequest,
  passwordChangeRequest,
  passwordChangeResponse,
  sessionList,
  sessionParams,
  sessionResponse,
} from "../schemas/auth.schemas.ts";

const tag = "Authentication";

export const authRoutes: readonly Route[] = [
  defineRoute({
    id: "login",
    method: "post",
    path: "/api/auth/login",
    tag,
    summary: "Log in",
    description:
      "Sets the session cookie `auth.session-token`, and `auth.known-device`: by it, a browser that has logged in to the account in the last 90 days is known, and failed log-ins of others don't keep it out. `RATE_LIMIT_LOGIN` counts log-ins that fail.",
    access: anyone,
    limit: "login",
    limitBy: ({ body }) => ({ account: body.email }),
    body: jsonBody(loginRequest, { maxBytes: MAX_FORM_BYTES }),
    responses: { 200: json("The session", sessionResponse) },
    problems: [401, 503],
    handle: async ({ body, reader, requestId, knownDevice: former }, { auth }) => {
      const { user, session, knownDevice } = await auth.login(body, { ...reader, requestId }, former());
      return { ...ok({ user, expiresAt: isoTime(session.expiresAt) }), cookie: session, knownDevice };
    },
  }),
  defineRoute({
    id: "logout",
    method: "post",
    path: "/api/auth/logout",
    tag,
    summary: "Log out",
    description: "Ends the session at once and clears its cookie.",
    access: anySession,
    responses: { 204: empty("Logged out") },
    handle: async ({ actor }, { auth }) => {
      await auth.logout(actor);
      return { ...noContent(), cookie: "clear" as const };
    },
  }),
  defineRoute({
    id: "getSession",
    method: "get",
    path: "/api/auth/session",
    tag,
    summary: "Get the current session",
    description:
      "Returns the logged-in user with their permissions, and when the session ends unless it is used before.",
    access: anySession,
    responses: { 200: json("The session", sessionResponse) },
    handle: async ({ actor }) => ok({ user: actor.user, expiresAt: isoTime(actor.expiresAt) }),
  }),
  defineRoute({
    id: "listSessions",
    method: "get",
    path: "/api/auth/sessions",
    tag,
    summary: "List one's own sessions, the one that was used last first",
    description: "A session ends when it isn't used any more, and at the latest 30 days after the log-in.",
    access: anySession,
    responses: { 200: json("The sessions", sessionList) },
    handle: async ({ actor }, { auth }) => ok(await auth.listSessions(actor)),
  }),
  defineRoute({
    id: "endSession",
    method: "delete",
    path: "/api/auth/sessions/{sessionId}",
    tag,
    summary: "End one of one's own sessions",
    description: "Its token is dead at once. To end all others, change the password.",
    access: anySession,
    params: sessionParams,
    responses: { 200: json("Ended", success) },
    handle: async ({ actor, params: { sessionId } }, { auth }) => {
      await auth.endSession(actor, sessionId);
      const isOwn = sessionId === actor.sessionId;
      return { ...ok({ success: true }), ...(isOwn && { cookie: "clear" as const }) };
    },
  }),
  defineRoute({
    id: "changePassword",
    method: "put",
    path: "/api/auth/password",
    tag,
    summary: "Change the password",
    description:
      "All other sessions of the user end, and no browser is known any more. With `revokeApiKeys` all of one's API keys are revoked, too.",
    access: anySession,
    limit: "login",
    limitBy: ({ actor }) => ({ session: actor.sessionId }),
    body: jsonBody(passwordChangeRequest, { maxBytes: MAX_FORM_BYTES }),
    responses: { 200: json("Changed", passwordChangeResponse) },
    problems: [503],
    handle: async ({ actor, body }, { auth }) => {
      return ok({ success: true, ...(await auth.changePassword(actor, body)) });
    },
  }),
];
