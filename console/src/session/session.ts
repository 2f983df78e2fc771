/** The user who is logged in. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, complete, Problem, receive, type Schemas } from "../api/client.ts";
import { askToLeave } from "../forms/leave-question.tsx";
import { endWarnings, isWarning } from "../forms/unsaved.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import { announceLogIn, forgetEnd } from "./session-end.ts";

const KEY = ["session"];

const isEnded = (error: unknown): boolean => error instanceof Problem && error.status === 401;

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
        if (isEnded(error) && !client.getQueryData(KEY)) return null;
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

/** A function that logs out, and asks before if something would be lost. */
export function useLogOut(): () => void {
  const notifyProblem = useNotifyProblem();
  const { mutate } = useMutation({
    async mutationFn() {
      try {
        await complete(api.POST("/api/auth/logout"));
      } catch (error) {
        if (!isEnded(error)) throw error;
      }
    },
    onSuccess() {
      // Nothing that was read, typed or chosen for an upload is left to the next user.
      endWarnings();
      window.location.reload();
    },
    onError: notifyProblem,
  });
  return () => (isWarning() ? askToLeave({ leave: mutate }) : mutate());
}

export function usePermission(permission: Schemas["Permission"]): boolean {
  const { data: session } = useSession();
  return session?.user.permissions.includes(permission) ?? false;
}

/** Whether the service sends letters. What the service has isn't known between the log-in and the next response. */
export function useHasMail(): boolean {
  const { data: session } = useSession();
  return session && "features" in session ? session.features.mail : false;
}

/** Whether readers of some language confirm their address. */
export function useConfirmsAddresses(): boolean {
  const { data: session } = useSession();
  return session && "features" in session ? session.features.emailConfirmation : false;
}
