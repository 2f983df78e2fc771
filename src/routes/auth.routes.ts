/** Log-in, session and password. */
import { anyone, anySession } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { MAX_FORM_BYTES } from "../http/requests/json.ts";
import { empty, json, noContent, ok, received } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { isoTime } from "../lib/time.ts";
import { success } from "../schemas/atoms.ts";
import {
  currentSession,
  loginRequest,
  passwordChangeRequest,
  passwordChangeResponse,
  passwordReset,
  passwordResetParams,
  passwordResetRequest,
  passwordResetRequested,
  passwordSetting,
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
    handle: async ({ actor, acceptedLanguages }, { system }) => {
      const offer = await system.readOffer(acceptedLanguages());
      return ok({ user: actor.user, expiresAt: isoTime(actor.expiresAt), ...offer });
    },
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
  defineRoute({
    id: "requestPasswordReset",
    method: "post",
    path: "/api/auth/password-reset",
    summary: "Request a letter for a forgotten password",
    description:
      "Sends a letter with a link that sets a new password, once and within 24 hours, if the address belongs to an active account with a password: at most three a day. The response is the same if it doesn't. Counts against a limit of its own, of `RATE_LIMIT_LOGIN` requests in 15 minutes from an address. If the service sends no letters (`SMTP_URL`), it responds with 404.",
    access: anyone,
    limit: "reset",
    databaseLimit: "form",
    body: jsonBody(passwordResetRequest, { maxBytes: MAX_FORM_BYTES }),
    responses: { 202: json("Received", passwordResetRequested) },
    problems: [404],
    handle: async ({ body, acceptedLanguages }, { passwordLinks }) => {
      await passwordLinks.request(body.email, acceptedLanguages());
      return received({ success: true });
    },
  }),
  defineRoute({
    id: "getPasswordReset",
    method: "get",
    path: "/api/auth/password-reset/{token}",
    databaseLimit: "record",
    summary: "Get the account of a link that sets a password",
    description:
      "Of an invitation, or of a letter for a forgotten password. Changes nothing, so programs that open links in letters do no harm. Failed requests count as failed log-ins.",
    access: anyone,
    limit: "login",
    params: passwordResetParams,
    responses: { 200: json("The account", passwordReset) },
    problems: [404, 410],
    handle: async ({ params }, { passwordLinks }) => ok(await passwordLinks.show(params.token)),
  }),
  defineRoute({
    id: "setPasswordByLink",
    method: "post",
    path: "/api/auth/password-reset/{token}",
    summary: "Set a password with a link",
    description:
      "Ends all sessions of the user, forgets all known browsers, and revokes the user's API keys except those that can only submit download forms. All links of the user end. It doesn't log in. Failed requests count as failed log-ins.",
    access: anyone,
    limit: "login",
    params: passwordResetParams,
    body: jsonBody(passwordSetting, { maxBytes: MAX_FORM_BYTES }),
    responses: { 200: json("Set", success) },
    problems: [404, 410, 503],
    handle: async ({ params, body, reader, requestId }, { passwordLinks }) => {
      const { address } = reader;
      await passwordLinks.setPassword(params.token, body.newPassword, { address, requestId });
      return ok({ success: true });
    },
  }),
];
