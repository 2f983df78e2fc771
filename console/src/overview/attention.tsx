/** What somebody should look after: errors of the doctor, gaps in publication, keys, the City database and backups. */
import { Anchor, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import {
  expiringKeysQuery,
  gapsQuery,
  installationQuery,
  lastExaminationQuery,
} from "./attention-queries.ts";
import { overviewMessages } from "./messages.ts";

/** Reads what the permission allows; what can't be read now doesn't need attention here. */
function useIfPermitted(permission: Schemas["Permission"]) {
  return { enabled: usePermission(permission) };
}

export function Attention() {
  const { t, formatTime } = useTexts(overviewMessages);
  const id = useId();
  const points = usePoints();
  const { data: installation } = useQuery({ ...installationQuery, ...useIfPermitted("manage_settings") });
  const canKnow = usePermission("view_channels");
  if (!canKnow) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h4" id={id}>
          {t.attention.title}
        </Title>
        {points.length === 0 ? (
          <Text>{t.attention.nothing}</Text>
        ) : (
          <List>
            {points.map(({ key, text, to }) => (
              <List.Item key={key}>
                <Anchor component={Link} to={to}>
                  <bdi>{text}</bdi>
                </Anchor>
              </List.Item>
            ))}
          </List>
        )}
        {installation && (
          <Text size="sm" c="dimmed">
            {installation.lastBackupAt === null
              ? t.attention.unknownBackup
              : t.attention.lastBackup(formatTime(installation.lastBackupAt))}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

interface Point {
  key: string;
  text: string;
  /** The page where it can be mended. */
  to: string;
}

function usePoints(): Point[] {
  const { t, formatTime, nameLanguage } = useTexts(overviewMessages);
  const settings = useIfPermitted("manage_settings");
  const { data: examination } = useQuery({ ...lastExaminationQuery, ...settings });
  const { data: installation } = useQuery({ ...installationQuery, ...settings });
  const { data: keys = [] } = useQuery({ ...expiringKeysQuery, ...useIfPermitted("manage_api_keys") });
  const { data: gaps = [] } = useQuery({ ...gapsQuery, ...useIfPermitted("view_channels") });
  const points: Point[] = [];
  if (examination && examination.errors > 0 && examination.finishedAt !== null)
    points.push({
      key: "doctor",
      to: "/doctor",
      text: t.attention.errors(examination.errors, formatTime(examination.finishedAt)),
    });
  for (const { id, name, expiresAt } of keys)
    points.push({ key: id, to: "/api-keys", text: t.attention.key(name, formatTime(expiresAt)) });
  const builtAt = installation?.oldCityDatabase ?? null;
  if (builtAt !== null)
    points.push({ key: "geoip", to: "/settings", text: t.attention.cityDatabase(formatTime(builtAt)) });
  for (const { language, unpublished, withoutFile } of gaps) {
    const name = nameLanguage(language);
    const to = `/publications?languageCode=${encodeURIComponent(language.code)}`;
    if (unpublished > 0)
      points.push({
        key: `${language.code} unpublished`,
        to,
        text: t.attention.unpublished(name, unpublished),
      });
    if (withoutFile > 0)
      points.push({ key: `${language.code} file`, to, text: t.attention.withoutFile(name, withoutFile) });
  }
  return points;
}
