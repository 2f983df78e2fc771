/** E-mail and password: at the address that was asked for, and in the dialog over a page whose session has ended. */
import { Alert, Button, Stack } from "@mantine/core";
import type { FormEvent } from "react";
import { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { EmailField, PasswordField } from "../ui/account-fields.tsx";
import { useDescribeProblem } from "../ui/problems.tsx";
import { useLogIn } from "./session.ts";

/** Read from its elements: the library for forms isn't in the first load. */
function readFields({ currentTarget }: FormEvent<HTMLFormElement>) {
  const fields = new FormData(currentTarget);
  const read = (name: string) => String(fields.get(name) ?? "");
  return { email: read("email"), password: read("password") };
}

export function LogInForm({ email = "" }: { email?: string }) {
  const { t } = useTexts();
  const logIn = useLogIn();
  const describe = useDescribeProblem();
  const isWrong = logIn.error instanceof Problem && [400, 401].includes(logIn.error.status);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        logIn.mutate(readFields(event));
      }}
    >
      <Stack>
        {logIn.error && (
          <Alert color="red" role="alert">
            {isWrong ? t("session.wrong") : describe(logIn.error)}
          </Alert>
        )}
        <EmailField required data-autofocus={email === "" || undefined} name="email" defaultValue={email} />
        <PasswordField
          label={t("session.password")}
          autoComplete="current-password"
          dir="ltr"
          data-autofocus={email !== "" || undefined}
          name="password"
        />
        <Button type="submit" loading={logIn.isPending}>
          {t("session.logIn")}
        </Button>
      </Stack>
    </form>
  );
}
