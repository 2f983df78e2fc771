/** What the page of users reads and changes. */
import { queryOptions } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { listAll } from "../api/list-all.ts";
import { useChange } from "../api/use-change.ts";

export const ROLES = listAll<Schemas["Role"]>()("admin", "editor", "analyst", "viewer");

export const findRole = (role: string) => ROLES.find((known) => known === role);

export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: () => receive(api.GET("/api/admin/users")),
});

/** One can change oneself. */
export const useUserChange = <Input, Result>(change: (input: Input) => Promise<Result>) =>
  useChange(change, "users", "session");

export const createUser = (body: Schemas["UserCreation"]) => receive(api.POST("/api/admin/users", { body }));

export const updateUser = (userId: string, body: Schemas["UserUpdate"]) =>
  receive(api.PATCH("/api/admin/users/{userId}", { params: { path: { userId } }, body }));

export const deleteUser = (userId: string) =>
  receive(api.DELETE("/api/admin/users/{userId}", { params: { path: { userId } } }));
