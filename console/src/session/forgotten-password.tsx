/** In place of the log-in: a letter for a forgotten password. */
import { Alert, Button, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, Problem, receive } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { EmailField } from "../ui/account-fields.tsx";
import { useDescribeProblem } from "../ui/problems.tsx";
import { ServerCommand } from "./server-command.tsx";
import { SessionCard } from "./session-card.tsx";

export default function ForgottenPassword({ back }: { back(): void }) {
  const { t } = useTexts("passwords");
  const form = useForm({ mode: "uncontrolled", initialValues: { email: "" } });
  const ask = useMutation({
    mutationFn: (body: { email: string }) => receive(api.POST("/api/auth/password-reset", { body })),
  });
  return (
    <SessionCard title={t("forgotten.title")}>
      {ask.isSuccess ? (
        <Alert color="green" role="status">
          {t("forgotten.sent")}
        </Alert>
      ) : (
        <form onSubmit={form.onSubmit((values) => ask.mutate(values))}>
          <Stack>
            {ask.error && <Failure error={ask.error} />}
            <Text>{t("forgotten.about")}</Text>
            <EmailField
              required
              data-autofocus
              autoFocus
              key={form.key("email")}
              {...form.getInputProps("email")}
            />
            <Button type="submit" loading={ask.isPending}>
              {t("forgotten.send")}
            </Button>
          </Stack>
        </form>
      )}
      <Button variant="default" onClick={back}>
        {t("forgotten.back")}
      </Button>
    </SessionCard>
  );
}

/** Only the service knows whether it sends letters, and says so without a session only here. */
function Failure({ error }: { error: Error }) {
  const { t } = useTexts("passwords");
  const describe = useDescribeProblem();
  const hasNoMail = error instanceof Problem && error.code === "no_letters";
  return (
    <Alert color={hasNoMail ? "yellow" : "red"} role="alert">
      {hasNoMail ? (
        <>
          {t("forgotten.noMail")}
          <ServerCommand command="reset-password" />
        </>
      ) : (
        describe(error)
      )}
    </Alert>
  );
}
