/** Administrator accounts. */
import { session } from "../http/access.ts";
import { jsonBody } from "../http/requests/body.ts";
import { confirmDeletion, created, json, ok } from "../http/responses/responses.ts";
import { defineRoute } from "../http/route.ts";
import { success } from "../schemas/atoms.ts";
import {
  user,
  userCreation,
  userList,
  userParams,
  userUpdate,
  userUpdated,
} from "../schemas/users.schemas.ts";

export const usersRoutes = [
  defineRoute({
    id: "listUsers",
    method: "get",
    path: "/api/admin/users",
    summary: "List users",
    description: "Returns active and inactive users with their roles and permissions.",
    access: session("manage_users"),
    responses: { 200: json("The users", userList) },
    handle: async (_, { users }) => ok(await users.list()),
  }),
  defineRoute({
    id: "createUser",
    method: "post",
    path: "/api/admin/users",
    summary: "Create a user",
    description: "Creates an account for administration. Readers need no account.",
    access: session("manage_users"),
    body: jsonBody(userCreation),
    responses: { 201: json("The user", user) },
    problems: [409, 503],
    handle: async ({ body, actor, acceptedLanguages }, { users }) => {
      const languages = body.invite ? acceptedLanguages() : [];
      return created("/api/admin/users", await users.create(actor.author, body, languages));
    },
  }),
  defineRoute({
    id: "getUser",
    method: "get",
    path: "/api/admin/users/{userId}",
    databaseLimit: "record",
    summary: "Get a user",
    description: "Returns the active or inactive user with their role and permissions.",
    access: session("manage_users"),
    params: userParams,
    responses: { 200: json("The user", user) },
    handle: async ({ params }, { users }) => ok(await users.find(params.userId)),
  }),
  defineRoute({
    id: "updateUser",
    patchId: "patchUser",
    method: "put",
    path: "/api/admin/users/{userId}",
    summary: "Update a user",
    description:
      "Setting a password or deactivating the user ends all sessions of the user. Setting a password also revokes the user's API keys, except those that can only submit download forms; `revokeApiKeys` overrides this, and `revokedApiKeys` is the number of revoked keys. To change your own password and keep the current session, use `PUT /api/auth/password`. The last active administrator can't be demoted or deactivated.",
    access: session("manage_users"),
    params: userParams,
    body: jsonBody(userUpdate),
    responses: { 200: json("The updated user", userUpdated) },
    problems: [409, 503],
    handle: async ({ params, body, actor, acceptedLanguages }, { users }) => {
      const languages = body.invite ? acceptedLanguages() : [];
      return ok({ success: true, ...(await users.update(actor.author, params.userId, body, languages)) });
    },
  }),
  defineRoute({
    id: "deleteUser",
    method: "delete",
    path: "/api/admin/users/{userId}",
    summary: "Delete a user with their sessions and API keys",
    description: "The last active administrator can't be deleted.",
    access: session("manage_users"),
    params: userParams,
    responses: { 200: json("Deleted", success) },
    problems: [409],
    handle: ({ params, actor }, { users }) => confirmDeletion(users.delete(actor.author, params.userId)),
  }),
];
