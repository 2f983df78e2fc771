/** E-mail and password: at the address that was asked for, and in the dialog over a page whose session has ended. */
import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useDescribeProblem } from "../shell/problems.tsx";
import { useLogIn } from "./session.ts";

export function LogInForm({ email = "" }: { email?: string }) {
  const { t } = useTexts();
  const logIn = useLogIn();
  const describe = useDescribeProblem();
  const form = useForm({ mode: "uncontrolled", initialValues: { email, password: "" } });
  const isWrong = logIn.error instanceof Problem && [400, 401].includes(logIn.error.status);
  return (
    <form onSubmit={form.onSubmit((values) => logIn.mutate(values))}>
      <Stack>
        {logIn.error && (
          <Alert color="red" role="alert">
            {isWrong ? t("session.wrong") : describe(logIn.error)}
          </Alert>
        )}
        <TextInput
          label={t("session.email")}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          dir="ltr"
          data-autofocus={email === "" || undefined}
          key={form.key("email")}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label={t("session.password")}
          autoComplete="current-password"
          required
          withAsterisk={false}
          dir="ltr"
          data-autofocus={email !== "" || undefined}
          visibilityToggleButtonProps={{ "aria-hidden": true }}
          key={form.key("password")}
          {...form.getInputProps("password")}
        />
        <Button type="submit" loading={logIn.isPending}>
          {t("session.logIn")}
        </Button>
      </Stack>
    </form>
  );
}
