/** The page of a link in a letter, which sets a password: of an invitation, or after a forgotten one. */
import { Alert, Anchor, Button, Loader, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { api, Problem, receive, type Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { EmailField, PasswordField } from "../ui/account-fields.tsx";
import { useDescribeProblem, useShowProblem } from "../ui/problems.tsx";
import { SessionCard } from "./session-card.tsx";

const PATH = "/api/auth/password-reset/{token}";

/** Behind `#`, a token is sent to no server, and it leaves the address, the history and what is kept of them at once. */
function useToken(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  useEffect(() => {
    if (hash === "") return;
    setToken(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return token;
}

export default function ResetPage() {
  const { t } = useTexts("passwords");
  const token = useToken();
  const params = { path: { token } };
  const { data, error, refetch } = useQuery({
    queryKey: ["password-reset", token],
    queryFn: () => receive(api.GET(PATH, { params })),
    enabled: token !== "",
    // It is read once: what ends the link meanwhile is said when the password is set.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === "") return <Unusable error={new Problem(404, {})} />;
  if (error) return <Unusable error={error} retry={refetch} />;
  if (data) return <PasswordForm key={token} token={token} link={data} />;
  return (
    <SessionCard title={t("reset.title")}>
      <Loader aria-label={t("loading")} role="status" />
    </SessionCard>
  );
}

function PasswordForm({ token, link }: { token: string; link: Schemas["PasswordReset"] }) {
  const { t } = useTexts("passwords");
  const form = useForm({ mode: "uncontrolled", initialValues: { newPassword: "" } });
  const showProblem = useShowProblem(form);
  const set = useMutation({
    mutationFn: (body: Schemas["PasswordSetting"]) =>
      receive(api.POST(PATH, { params: { path: { token } }, body })),
    onError: (error) => isEnded(error) || showProblem(error),
  });
  if (isEnded(set.error)) return <Unusable error={set.error} />;
  const title = link.isInvitation ? t("reset.welcome", { name: link.name }) : t("reset.title");
  if (set.isSuccess)
    return (
      <SessionCard title={title}>
        <Alert color="green" role="status">
          {t("reset.done")}
        </Alert>
        <ToLogIn />
      </SessionCard>
    );
  return (
    <SessionCard title={title}>
      <form onSubmit={form.onSubmit((values) => set.mutate(values))}>
        <Stack>
          <Text>{link.isInvitation ? t("reset.aboutInvitation") : t("reset.about")}</Text>
          <EmailField readOnly value={link.email} />
          <PasswordField
            label={t("reset.password")}
            description={t("reset.passwordHint")}
            autoComplete="new-password"
            dir="ltr"
            autoFocus
            key={form.key("newPassword")}
            {...form.getInputProps("newPassword")}
          />
          <Button type="submit" loading={set.isPending}>
            {t("reset.set")}
          </Button>
        </Stack>
      </form>
    </SessionCard>
  );
}

const isEnded = (error: unknown): boolean => error instanceof Problem && [404, 410].includes(error.status);

/** @param retry for what may succeed later */
function Unusable({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTexts("passwords");
  const describe = useDescribeProblem();
  const status = error instanceof Problem ? error.status : undefined;
  const isGone = status === 410;
  if (!isEnded(error))
    return (
      <SessionCard title={t("reset.title")}>
        <Alert color="red" role="alert" title={t("problems.title")}>
          {describe(error)}
        </Alert>
        {retry && <Button onClick={retry}>{t("tryAgain")}</Button>}
      </SessionCard>
    );
  return (
    <SessionCard title={t("reset.title")}>
      <Alert color="yellow" role="alert">
        <Text fw={500}>{isGone ? t("reset.ended") : t("reset.unknown")}</Text>
        <Text>{isGone ? t("reset.endedHint") : t("reset.unknownHint")}</Text>
      </Alert>
      <ToLogIn />
    </SessionCard>
  );
}

/** Loads the console anew: what was read with a session that has ended is not shown again. */
function ToLogIn() {
  const { t } = useTexts("passwords");
  return <Anchor href="/console/">{t("reset.toLogIn")}</Anchor>;
}
