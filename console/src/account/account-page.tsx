/** One's own password and sessions, and how the console is shown. */
import { Button, Group, NativeSelect, Stack, useMantineColorScheme } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";
import { findBrowserZone } from "../messages/browser-zone.ts";
import { useTexts } from "../messages/index.tsx";
import { isLanguage, LANGUAGES } from "../messages/languages.ts";
import { listZones } from "../messages/zones.ts";
import { PasswordField } from "../ui/account-fields.tsx";
import { ActionButton } from "../ui/action-button.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { loadInTime } from "../ui/lazy-page.tsx";
import { useFocusAfterwards } from "../ui/lost-focus.ts";
import { Note } from "../ui/note.tsx";
import { Page } from "../ui/page.tsx";
import { useNotifyProblem, useShowProblem } from "../ui/problems.tsx";
import { Section } from "../ui/section.tsx";

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => receive(api.GET("/api/auth/sessions")),
});

export default function AccountPage() {
  const { t } = useTexts("account");
  return (
    <Page title={t("nav.account")}>
      <Display />
      <Sessions />
      <Password />
    </Page>
  );
}

const SCHEMES = ["auto", "light", "dark"] as const;

function Display() {
  const { t, language, setLanguage, timeZone, setTimeZone } = useTexts("account");
  const notifyProblem = useNotifyProblem();
  const zones = listZones(timeZone ?? "UTC").map((zone) => ({ value: zone, label: zone }));
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t("account.display")} align="start">
      <NativeSelect
        label={t("account.language")}
        description={LANGUAGES[language].isProofread ? undefined : t("account.notProofread")}
        value={language}
        data={Object.entries(LANGUAGES).map(([value, { name: label }]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) loadInTime(() => setLanguage(value)).catch(notifyProblem);
        }}
      />
      <NativeSelect
        label={t("dates.timezone")}
        value={timeZone ?? ""}
        data={[{ value: "", label: t("account.browserZone", { zone: findBrowserZone() }) }, ...zones]}
        onChange={({ currentTarget: { value } }) => setTimeZone(value || undefined)}
      />
      <NativeSelect
        label={t("colours.name")}
        value={colorScheme}
        data={SCHEMES.map((value) => ({ value, label: t(`colours.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          setColorScheme(SCHEMES.find((scheme) => scheme === value) ?? "auto")
        }
      />
    </Section>
  );
}

const changePassword = (body: Schemas["PasswordChangeRequest"]) =>
  receive(api.PUT("/api/auth/password", { body }));

function Password() {
  const { t } = useTexts("account");
  const form = useForm({ mode: "uncontrolled", initialValues: { currentPassword: "", newPassword: "" } });
  const showProblem = useShowProblem(form);
  const change = useChange(changePassword, "sessions");
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess() {
        form.reset();
        notifications.show({ message: t("account.passwordChanged") });
      },
      onError: showProblem,
    }),
  );
  return (
    <Section title={t("session.password")}>
      <form onSubmit={submit}>
        <Stack>
          <PasswordField
            label={t("account.currentPassword")}
            autoComplete="current-password"
            maw={400}
            key={form.key("currentPassword")}
            {...form.getInputProps("currentPassword")}
          />
          <PasswordField
            label={t("account.newPassword")}
            description={t("account.passwordHint")}
            autoComplete="new-password"
            maw={400}
            key={form.key("newPassword")}
            {...form.getInputProps("newPassword")}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {t("account.changePassword")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Sessions() {
  const { t, formatTime } = useTexts("account");
  return (
    <Section title={t("account.sessions")}>
      <LoadedTable
        query={useQuery(sessionsQuery)}
        rowsOf={({ sessions }) => sessions}
        keyOf={({ id }) => id}
        columns={[
          { head: t("words.device"), cell: (session) => <DeviceCell session={session} /> },
          { head: t("account.lastSeen"), from: "sm", cell: ({ lastSeenAt }) => formatTime(lastSeenAt) },
          {
            head: t("account.end"),
            cell: (session) => (session.isCurrent ? t("account.thisOne") : <EndButton session={session} />),
          },
        ]}
      />
    </Section>
  );
}

interface SessionProps {
  session: Schemas["ListedSession"];
}

const nameDevice = ({ browserName, osName, ipAddress }: Schemas["ListedSession"]): string =>
  [browserName, osName].filter(Boolean).join(", ") || (ipAddress ?? "?");

const DeviceCell = ({ session }: SessionProps) => (
  <>
    {nameDevice(session)}
    <Note>
      <bdi dir="ltr">{session.ipAddress}</bdi>
    </Note>
  </>
);

const endSession = (sessionId: string) =>
  receive(api.DELETE("/api/auth/sessions/{sessionId}", { params: { path: { sessionId } } }));

function EndButton({ session }: SessionProps) {
  const { t } = useTexts("account");
  const end = useChange(endSession, "sessions");
  useFocusAfterwards();
  return (
    <ActionButton
      size="compact-sm"
      label={t("account.end")}
      name={t("account.endOf", { name: nameDevice(session) })}
      run={() => end.mutateAsync(session.id)}
      done={t("account.ended")}
    />
  );
}
