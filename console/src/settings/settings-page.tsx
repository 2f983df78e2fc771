/** What the service runs with: the City database, backups and versions. */
import { Alert, Code, Group, Table, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, receive, type Schemas } from "../api/client.ts";
import { useChange } from "../api/use-change.ts";
import { cityDatabaseDays, isOldCityDatabase } from "../lib/city-database.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { ActionButton } from "../ui/action-button.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { Section } from "../ui/section.tsx";

type Settings = Schemas["Settings"];

const settingsQuery = queryOptions({
  queryKey: ["settings"],
  queryFn: () => receive(api.GET("/api/admin/settings")),
});

export default function SettingsPage() {
  const { t } = useTexts("settings");
  return (
    <PermittedPage permission="manage_settings" title={t("nav.settings")}>
      <Text maw="70ch">{t("settings.about")}</Text>
      <AllSettings />
    </PermittedPage>
  );
}

function AllSettings() {
  const query = useQuery(settingsQuery);
  return (
    <Loaded query={query}>
      {(settings) => (
        <>
          <CityDatabase settings={settings} />
          <Backup settings={settings} />
          <Service settings={settings} />
        </>
      )}
    </Loaded>
  );
}

function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Table maw={700} layout="fixed">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="40%">
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function CityDatabase({ settings }: { settings: Settings }) {
  const { t, formatTime, formatBytes } = useTexts("settings");
  const { geoipExists, geoipBuiltAt, geoipFileSize, geoipPath } = settings;
  const days = geoipBuiltAt ? cityDatabaseDays(geoipBuiltAt) : 0;
  return (
    <Section gap="sm" title={t("settings.city")}>
      <Text maw="70ch">{geoipExists ? t("settings.cityAbout") : t("settings.cityMissing")}</Text>
      {isOldCityDatabase(geoipBuiltAt) && (
        <Alert variant="default" icon="!" title={t("settings.old")} maw={700} />
      )}
      {geoipExists && (
        <Facts
          facts={[
            [
              t("settings.builtAt"),
              geoipBuiltAt
                ? `${formatTime(geoipBuiltAt)} (${t("settings.age", { days: Math.max(days, 0) })})`
                : t("settings.unknown"),
            ],
            [t("settings.size"), formatBytes(geoipFileSize)],
            [
              t("settings.path"),
              <bdi key="path" dir="ltr">
                {geoipPath}
              </bdi>,
            ],
          ]}
        />
      )}
      <CityUpdate hasKey={settings.vendorKeyConfigured} />
    </Section>
  );
}

const updateCity = () => receive(api.POST("/api/admin/settings/update-geoip"));

function CityUpdate({ hasKey }: { hasKey: boolean }) {
  const { t } = useTexts("settings");
  const update = useChange(updateCity, "settings");
  if (!hasKey) return <Text maw="70ch">{t("settings.noKey")}</Text>;
  return (
    <Group>
      <ActionButton
        variant="filled"
        label={t("settings.update")}
        run={() => update.mutateAsync(undefined)}
        done={t("settings.updated")}
      />
      <Note>{t("settings.updateHint")}</Note>
    </Group>
  );
}

function Backup({ settings: { lastBackupAt } }: { settings: Settings }) {
  const { t, formatTime } = useTexts("settings");
  return (
    <Section gap="sm" title={t("settings.backup")}>
      <Facts
        facts={[[t("settings.lastBackup"), lastBackupAt ? formatTime(lastBackupAt) : t("settings.noBackup")]]}
      />
      <Group gap="xs">
        <Text size="sm">{t("settings.backupCommand")}</Text>
        <Code dir="ltr">bookdist backup</Code>
      </Group>
    </Section>
  );
}

function Service({ settings: { appVersion, nodeVersion, environment } }: { settings: Settings }) {
  const { t } = useTexts("settings");
  const text = (value: string) => <bdi dir="ltr">{value}</bdi>;
  return (
    <Section gap="sm" title={t("settings.service")}>
      <Facts
        facts={[
          [t("settings.version"), text(appVersion)],
          [t("settings.node"), text(nodeVersion)],
          [t("settings.environment"), text(environment || t("settings.unknown"))],
        ]}
      />
    </Section>
  );
}
