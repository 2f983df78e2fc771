/** Shows a page to those who are logged in, and the log-in at its address to others: nothing redirects. */
import { Alert, Button, Center, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { useDescribeProblem } from "../shell/problems.tsx";
import { LogInForm } from "./log-in-form.tsx";
import classes from "./require-session.module.css";
import { useSession } from "./session.ts";
import { type Interrupted, listenForLogIn, useSessionEnd } from "./session-end.ts";

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
  useEffect(() => {
    document.title = `${t("session.title")} · ${t("appName")}`;
  }, [t]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Title order={1} size="h2">
            {t("session.title")}
          </Title>
          <LogInForm />
          <details className={classes.help}>
            <summary>{t("session.help")}</summary>
            <Command text={t("session.reset")} command="reset-password" />
            <Command text={t("session.firstHour")} command="create-admin" />
          </details>
        </Stack>
      </Paper>
    </Center>
  );
}

/** What is done on the server. */
function Command({ text, command }: { text: string; command: string }) {
  return (
    <Text size="sm" c="dimmed" component="div" mt="xs">
      {text}
      <Text size="sm" ff="monospace" dir="ltr" style={{ overflowWrap: "anywhere" }}>
        npx bookdist {command} you@example.org
      </Text>
    </Text>
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
