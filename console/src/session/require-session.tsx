/** Shows a page to those who are logged in, and the log-in at its address to others: nothing redirects. */
import { Alert, Button, Center, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../messages/index.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { useDescribeProblem } from "../shell/problems.tsx";
import { LogInForm } from "./log-in-form.tsx";
import { useSession } from "./session.ts";
import { listenForLogIn, useSessionEnd } from "./session-end.ts";

export function RequireSession({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const { data: session, error, refetch } = useSession();
  const describe = useDescribeProblem();
  const hasEnded = useSessionEnd();
  const queries = useQueryClient();
  useEffect(() => listenForLogIn(() => void queries.invalidateQueries()), [queries]);
  if (session === undefined)
    return (
      <Center component="main" mih="100vh">
        {error ? (
          <Alert color="red" role="alert" title={t.problems.title}>
            <Stack align="start">
              {describe(error)}
              <Button onClick={() => refetch()}>{t.tryAgain}</Button>
            </Stack>
          </Alert>
        ) : (
          <Loader aria-label={t.loading} role="status" />
        )}
      </Center>
    );
  if (session === null) return <LogInPage />;
  return (
    <>
      {children}
      <SessionEndDialog isOpen={hasEnded} email={session.user.email} />
    </>
  );
}

function LogInPage() {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${t.session.title} · ${t.appName}`;
  }, [t]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Title order={1} size="h2">
            {t.session.title}
          </Title>
          <LogInForm />
          <Text size="sm" c="dimmed" component="div">
            {t.session.firstHour}
            <Text size="sm" ff="monospace" dir="ltr" mt="xs" style={{ overflowWrap: "anywhere" }}>
              npx bookdist create-admin you@example.org
            </Text>
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Other dialogs are at 200. */
const OVER_DIALOGS = 250;

function SessionEndDialog({ isOpen, email }: { isOpen: boolean; email: string }) {
  const { t } = useTexts();
  return (
    <Dialog
      opened={isOpen}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t.session.ended}
      zIndex={OVER_DIALOGS}
    >
      <Stack>
        <Text>{t.session.endedHint}</Text>
        <LogInForm email={email} />
      </Stack>
    </Dialog>
  );
}
