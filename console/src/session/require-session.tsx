/** Shows a page to those who are logged in, and the log-in at its address to others: nothing redirects. */
import { Alert, Button, Center, Loader, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { useDescribeProblem } from "../ui/problems.tsx";
import { LogInForm } from "./log-in-form.tsx";
import classes from "./require-session.module.css";
import { ServerCommand } from "./server-command.tsx";
import { useSession } from "./session.ts";
import { SessionCard } from "./session-card.tsx";
import { type Interrupted, listenForLogIn, useSessionEnd } from "./session-end.ts";

const ForgottenPassword = lazyPart(() => import("./forgotten-password.tsx"), "passwords");

export function RequireSession({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const { data: session, error, refetch } = useSession();
  const describe = useDescribeProblem();
  const interrupted = useSessionEnd();
  const queries = useQueryClient();
  useEffect(() => listenForLogIn(() => void queries.invalidateQueries()), [queries]);
  if (session === undefined)
    return (
      <Center component="main" mih="100vh">
        {error ? (
          <Alert color="red" role="alert" title={t("problems.title")}>
            <Stack align="start">
              {describe(error)}
              <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
            </Stack>
          </Alert>
        ) : (
          <Loader aria-label={t("loading")} role="status" />
        )}
      </Center>
    );
  if (session === null) return <LogInPage />;
  return (
    <>
      {children}
      <SessionEndDialog interrupted={interrupted} email={session.user.email} />
    </>
  );
}

function LogInPage() {
  const { t } = useTexts();
  const [isForgotten, setForgotten] = useState(false);
  if (isForgotten)
    return (
      <Suspense fallback={<Loading />}>
        <ForgottenPassword back={() => setForgotten(false)} />
      </Suspense>
    );
  return (
    <SessionCard title={t("session.title")}>
      <LogInForm />
      <details className={classes.help}>
        <summary>{t("session.help")}</summary>
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => setForgotten(true)}>
          {t("session.forgotten")}
        </Button>
        <ServerCommand text={t("session.reset")} command="reset-password" />
        <ServerCommand text={t("session.firstHour")} command="create-admin" />
      </details>
    </SessionCard>
  );
}

/** Other dialogs are at 200. */
const OVER_DIALOGS = 250;

interface SessionEndProps {
  /** By the end of the session; undefined while there is one. */
  interrupted: Interrupted | undefined;
  email: string;
}

function SessionEndDialog({ interrupted, email }: SessionEndProps) {
  const { t } = useTexts();
  const before = useRef(interrupted);
  useEffect(() => {
    // Also once another tab has logged in.
    if (before.current === "change" && interrupted === undefined)
      notifications.show({ color: "yellow", message: t("session.repeat"), autoClose: false });
    before.current = interrupted;
  }, [interrupted, t]);
  return (
    <Dialog
      opened={interrupted !== undefined}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("session.ended")}
      zIndex={OVER_DIALOGS}
    >
      <Stack>
        <Text>{t("session.endedHint")}</Text>
        {interrupted === "change" && <Text fw={500}>{t("session.notDone")}</Text>}
        <LogInForm email={email} />
      </Stack>
    </Dialog>
  );
}
