/** The user who is logged in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, complete, Problem, receive, type Schemas } from "../api/client.ts";
import { announceLogIn, forgetEnd } from "./session-end.ts";

const KEY = ["session"];

/**
 * The session, or null where there is none. Asked again when the window gets the focus: another tab may have logged in.
 * One that has ended stays, and is reported as by any other query: what is typed is on the page of that user.
 */
export const useSession = () =>
  useQuery({
    queryKey: KEY,
    async queryFn({ client }) {
      try {
        const session = await receive(api.GET("/api/auth/session"));
        forgetEnd();
        return session;
      } catch (error) {
        if (error instanceof Problem && error.status === 401 && !client.getQueryData(KEY)) return null;
        throw error;
      }
    },
    refetchOnWindowFocus: "always",
  });

export function useLogIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (login: { email: string; password: string }) =>
      receive(api.POST("/api/auth/login", { body: login })),
    onSuccess(session) {
      queries.setQueryData(KEY, session);
      forgetEnd();
      announceLogIn();
      // What failed without a session is read again, and what a log-in doesn't say of it; nothing typed is touched.
      return queries.invalidateQueries();
    },
  });
}

export function useLogOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => complete(api.POST("/api/auth/logout")),
    onSettled() {
      // The session stays a query of those who watch it: they show the log-in instead of the page.
      queries.setQueryData(KEY, null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
    },
  });
}

export function usePermission(permission: Schemas["Permission"]): boolean {
  const { data: session } = useSession();
  return session?.user.permissions.includes(permission) ?? false;
}
