/** One's own password and sessions, and how the console is shown. */
import { Button, Group, NativeSelect, Stack, Text, Title, useMantineColorScheme } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { findBrowserZone } from "../messages/browser-zone.ts";
import { useTexts } from "../messages/index.tsx";
import { isLanguage, LANGUAGES } from "../messages/languages.ts";
import { listZones } from "../messages/zones.ts";
import { PasswordField } from "../ui/account-fields.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { loadInTime } from "../ui/lazy-page.tsx";
import { useFocusAfterwards } from "../ui/lost-focus.ts";
import { Page } from "../ui/page.tsx";
import { useNotifyProblem, useShowProblem } from "../ui/problems.tsx";

const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => receive(api.GET("/api/auth/sessions")),
});

export default function AccountPage() {
  const { t } = useTexts("account");
  return (
    <Page title={t("account.title")}>
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
    <Stack component="section" align="start">
      <Title order={2} size="h3">
        {t("account.display")}
      </Title>
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
        label={t("account.timeZone")}
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
    </Stack>
  );
}

function Password() {
  const { t } = useTexts("account");
  const queries = useQueryClient();
  const form = useForm({ mode: "uncontrolled", initialValues: { currentPassword: "", newPassword: "" } });
  const showProblem = useShowProblem(form);
  const change = useMutation({
    mutationFn: (body: Schemas["PasswordChangeRequest"]) => receive(api.PUT("/api/auth/password", { body })),
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
  });
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
    <Stack component="section">
      <Title order={2} size="h3">
        {t("account.password")}
      </Title>
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
    </Stack>
  );
}

function Sessions() {
  const { t, formatTime } = useTexts("account");
  return (
    <Stack component="section">
      <Title order={2} size="h3">
        {t("account.sessions")}
      </Title>
      <LoadedTable
        query={useQuery(sessionsQuery)}
        rowsOf={({ sessions }) => sessions}
        keyOf={({ id }) => id}
        columns={[
          { head: t("account.device"), cell: (session) => <DeviceCell session={session} /> },
          { head: t("account.lastSeen"), from: "sm", cell: ({ lastSeenAt }) => formatTime(lastSeenAt) },
          {
            head: t("account.end"),
            cell: (session) => (session.isCurrent ? t("account.thisOne") : <EndButton session={session} />),
          },
        ]}
      />
    </Stack>
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
    <Text size="sm" c="dimmed">
      <bdi dir="ltr">{session.ipAddress}</bdi>
    </Text>
  </>
);

function EndButton({ session }: SessionProps) {
  const { t } = useTexts("account");
  const queries = useQueryClient();
  const notifyProblem = useNotifyProblem();
  const end = useMutation({
    mutationFn: () =>
      receive(api.DELETE("/api/auth/sessions/{sessionId}", { params: { path: { sessionId: session.id } } })),
    onSuccess: () => queries.invalidateQueries(sessionsQuery),
  });
  useFocusAfterwards();
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={end.isPending}
      aria-label={t("account.endOf", { name: nameDevice(session) })}
      onClick={() =>
        end.mutate(undefined, {
          onSuccess: () => notifications.show({ message: t("account.ended") }),
          onError: notifyProblem,
        })
      }
    >
      {t("account.end")}
    </Button>
  );
}
