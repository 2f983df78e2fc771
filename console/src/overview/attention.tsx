/** What somebody should look after: errors of the doctor, gaps in publication, keys, the City database and backups. */
import { Anchor, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { usePermission } from "../session/session.ts";
import { Note } from "../ui/note.tsx";
import { LoadFailure } from "../ui/problems.tsx";
import {
  expiringKeysQuery,
  gapsQuery,
  installationQuery,
  lastExaminationQuery,
} from "./attention-queries.ts";

/** Each is read where the permission allows it. */
function useFindings() {
  const isOperator = usePermission("manage_settings");
  return {
    examination: useQuery({ ...lastExaminationQuery, enabled: isOperator }),
    installation: useQuery({ ...installationQuery, enabled: isOperator }),
    keys: useQuery({ ...expiringKeysQuery, enabled: usePermission("manage_api_keys") }),
    gaps: useQuery({ ...gapsQuery, enabled: usePermission("view_channels") }),
  };
}
type Findings = ReturnType<typeof useFindings>;

export function Attention() {
  const { t } = useTexts("overview");
  const id = useId();
  const findings = useFindings();
  const rights = [
    usePermission("manage_settings"),
    usePermission("manage_api_keys"),
    usePermission("view_channels"),
  ];
  if (!rights.includes(true)) return null;
  const parts = Object.values(findings);
  const failed = parts.filter(({ isError }) => isError);
  const error = failed.find((part) => part.error)?.error;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h4" id={id}>
          {t("attention.title")}
        </Title>
        <Points
          findings={findings}
          isComplete={parts.every(({ isLoading, isError }) => !isLoading && !isError)}
        />
        {parts.some(({ isLoading }) => isLoading) && (
          <Text c="dimmed" role="status">
            {t("loading")}
          </Text>
        )}
        {error && <LoadFailure error={error} retry={() => failed.forEach(({ refetch }) => void refetch())} />}
        <Limits findings={findings} />
      </Stack>
    </Paper>
  );
}

function Points({ findings, isComplete }: { findings: Findings; isComplete: boolean }) {
  const { t } = useTexts("overview");
  const points = usePoints(findings);
  if (points.length === 0) return isComplete && <Text>{t("attention.nothing")}</Text>;
  return (
    <List>
      {points.map(({ key, text, to }) => (
        <List.Item key={key}>
          <Anchor component={Link} to={to}>
            <bdi>{text}</bdi>
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}

/** Up to when and how far the list can be trusted. */
function Limits({ findings }: { findings: Findings }) {
  const { t, formatTime } = useTexts("overview");
  const { data: installation } = findings.installation;
  const { data: publication } = findings.gaps;
  return (
    <>
      {publication && publication.lookedAt < publication.of && (
        <Note>{t("attention.gapsLookedFor", { count: publication.lookedAt, of: publication.of })}</Note>
      )}
      {installation && (
        <Note>
          {installation.lastBackupAt === null
            ? t("attention.unknownBackup")
            : t("attention.lastBackup", { time: formatTime(installation.lastBackupAt) })}
        </Note>
      )}
    </>
  );
}

interface Point {
  key: string;
  text: string;
  /** The page where it can be mended. */
  to: string;
}

function usePoints(findings: Findings): Point[] {
  const { t, formatTime } = useTexts("overview");
  const describeGap = useDescribeGap();
  const { data: examination } = findings.examination;
  const { data: installation } = findings.installation;
  const { data: keys = [] } = findings.keys;
  const { gaps = [] } = findings.gaps.data ?? {};
  const points: Point[] = [];
  if (examination && examination.errors > 0 && examination.finishedAt !== null)
    points.push({
      key: "doctor",
      to: "/doctor",
      text: t("attention.errors", { count: examination.errors, time: formatTime(examination.finishedAt) }),
    });
  for (const { id, name, expiresAt, hasExpired } of keys) {
    const values = { name: isolate(name), time: formatTime(expiresAt) };
    points.push({
      key: id,
      to: "/api-keys",
      text: t(hasExpired ? "attention.expiredKey" : "attention.key", values),
    });
  }
  const builtAt = installation?.oldCityDatabase ?? null;
  if (builtAt !== null)
    points.push({
      key: "geoip",
      to: "/settings",
      text: t("attention.cityDatabase", { time: formatTime(builtAt) }),
    });
  return [...points, ...gaps.flatMap(describeGap)];
}

type Gap = NonNullable<Findings["gaps"]["data"]>["gaps"][number];

/** A function that says what readers of a language miss. */
function useDescribeGap() {
  const { t, formatList, nameLanguage } = useTexts("overview");
  return ({ language: given, unpublished, withoutFile, channels: incomplete }: Gap): Point[] => {
    const language = nameLanguage(given);
    const languageCode = given.code;
    const point = (key: string, shown: { show?: string }, text: string) => ({
      key: `${languageCode} ${key}`,
      to: `/publications?${new URLSearchParams({ languageCode, ...shown })}`,
      text,
    });
    const channels = incomplete.map(({ name: channel, published, publishable }) =>
      t("attention.incompleteOn", { channel, published, publishable }),
    );
    const points = [
      unpublished > 0 &&
        point("unpublished", { show: "gaps" }, t("attention.unpublished", { language, count: unpublished })),
      withoutFile > 0 &&
        point("file", { show: "withoutFile" }, t("attention.withoutFile", { language, count: withoutFile })),
      channels.length > 0 &&
        point("channels", {}, t("attention.incomplete", { language, channels: formatList(channels) })),
    ];
    return points.filter((each) => each !== false);
  };
}
