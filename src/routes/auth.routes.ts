/** Log-in, session and password. */
import { anyone, anySession } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { MAX_FORM_BYTES } from "../http/requests/json.ts";
import { empty, json, noContent, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { isoTime } from "../lib/time.ts";
import { success } from "../schemas/atoms.ts";
import {
  currentSession,
  loginRequest,
  passwordChangeRequest,
  passwordChangeResponse,
  sessionList,
  sessionParams,
  sessionResponse,
} from "../schemas/auth.schemas.ts";

export const authRoutes = [
  defineRoute({
    id: "login",
    method: "post",
    path: "/api/auth/login",
    summary: "Log in",
    description:
      "Sets the session cookie `auth.session-token`, and the cookie `auth.known-device`, which identifies a browser that has logged in to the account within the last 90 days. Failed log-ins from other places don't lock out a known browser. Only failed log-ins count against `RATE_LIMIT_LOGIN`.",
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
    summary: "Log out",
    description: "Ends the session immediately and clears its cookie.",
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
    databaseLimit: "record",
    summary: "Get the current session",
    description:
      "Returns the logged-in user with their permissions, the time at which the session expires if it isn't used, and what a console needs to know about the service.",
    access: anySession,
    responses: { 200: json("The session", currentSession) },
    handle: async ({ actor }, { system }) =>
      ok({ user: actor.user, expiresAt: isoTime(actor.expiresAt), ...system.offer }),
  }),
  defineRoute({
    id: "listSessions",
    method: "get",
    path: "/api/auth/sessions",
    summary: "List your sessions",
    description:
      "Returns the sessions of the logged-in user, most recently used first. A session expires when it isn't used, and at the latest 30 days after the log-in.",
    access: anySession,
    responses: { 200: json("The sessions", sessionList) },
    handle: async ({ actor }, { auth }) => ok(await auth.listSessions(actor)),
  }),
  defineRoute({
    id: "endSession",
    method: "delete",
    path: "/api/auth/sessions/{sessionId}",
    summary: "End one of your sessions",
    description:
      "The session's token stops working immediately. To end all other sessions, change the password.",
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
    summary: "Change the password",
    description:
      "Ends all other sessions of the user and forgets all known browsers. `revokeApiKeys=true` also revokes all API keys of the user.",
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
