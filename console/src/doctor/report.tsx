/** A report of the doctor: each finding with what it means and what mends it. */
import { Anchor, Badge, Code, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { type Finding, type FindingGroup, findMending, groupFindings, isKnownCheck } from "./mending.ts";
import classes from "./report.module.css";

export function Report({ report }: { report: Schemas["DoctorReport"] }) {
  const { t, formatTime, formatBytes } = useTexts("doctor");
  const { isHealthy, checkedAt, examined } = report;
  const groups = groupFindings(report);
  const facts = [
    t("doctor.examined", { files: examined.files, covers: examined.covers, bytes: examined.bytes }),
    ...(examined.cloudLinks > 0 ? [t("doctor.links", { links: examined.cloudLinks })] : []),
    ...(examined.removedFiles > 0
      ? [t("doctor.setAside", { files: examined.removedFiles, size: formatBytes(examined.removedBytes) })]
      : []),
  ];
  return (
    <Stack component="section">
      <Group>
        <Title order={2} size="h3">
          {t("doctor.last")}
        </Title>
        <Badge color={isHealthy ? "teal.9" : "red.9"} variant="filled">
          {isHealthy ? t("doctor.healthy") : t("doctor.unhealthy")}
        </Badge>
      </Group>
      <Text>{t("doctor.at", { time: formatTime(checkedAt) })}</Text>
      <Note>{facts.join(" · ")}</Note>
      {groups.length === 0 && <Text>{t("doctor.noFindings")}</Text>}
      {groups.map((group) => (
        <FindingCard key={group.check} group={group} />
      ))}
      <Checks report={report} />
    </Stack>
  );
}

function FindingCard({ group: { check, severity, found, findings } }: { group: FindingGroup }) {
  const { t, formatNumber } = useTexts("doctor");
  const isKnown = isKnownCheck(check);
  const isError = severity === "error";
  return (
    <Paper withBorder p="md" component="article">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={3} size="h4">
            {isKnown ? t(`doctor.texts.${check}.title`) : check}
          </Title>
          <Badge {...(isError ? { color: "red.9" } : { variant: "default" })}>
            {isError ? t("doctor.severity.error") : t("doctor.severity.warning")}
          </Badge>
          <Note>{t("doctor.found", { count: found })}</Note>
        </Group>
        {isKnown && <Text maw="70ch">{t(`doctor.texts.${check}.meaning`)}</Text>}
        <Mending
          check={check}
          advice={isKnown ? t(`doctor.texts.${check}.mend`) : (findings[0]?.advice ?? "")}
        />
        <details>
          <summary>{t("words.details")}</summary>
          <List size="sm" pt="xs" spacing={4}>
            {findings.map((finding) => (
              <List.Item key={`${finding.object.id} ${finding.message}`}>
                <FindingLine finding={finding} />
              </List.Item>
            ))}
          </List>
          {findings.length < found && (
            <Note pt="xs">
              {t("doctor.shown", { count: findings.length, of: found }).replace(
                String(found),
                formatNumber(found),
              )}
            </Note>
          )}
        </details>
      </Stack>
    </Paper>
  );
}

function Mending({ check, advice }: { check: string; advice: string }) {
  const { t } = useTexts("doctor");
  const { commands = [], page } = findMending(check) ?? {};
  return (
    <Stack gap="xs">
      <Text maw="70ch">
        <Text span fw={600}>
          {t("doctor.mend")}
        </Text>{" "}
        {advice}
      </Text>
      {commands.length > 0 && (
        <Stack gap={4} align="start">
          <Text size="sm">{t("doctor.commands", { count: commands.length })}</Text>
          {commands.map((command) => (
            <Code key={command} dir="ltr" maw="100%" className={classes.command}>
              {command}
            </Code>
          ))}
        </Stack>
      )}
      {page && (
        <Anchor component={Link} to={`/${page}`} w="fit-content">
          {t(`doctor.toPage.${page}`)}
        </Anchor>
      )}
    </Stack>
  );
}

/** The service's own sentence is English. */
function FindingLine({ finding: { object, message, check } }: { finding: Finding }) {
  const name = <bdi>{object.name}</bdi>;
  // Of a publication, the object is the book.
  const isBook = object.kind === "book" || check === "published_without_file";
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      {isBook ? (
        <Anchor component={Link} to={`/books/${object.id}`} size="sm">
          {name}
        </Anchor>
      ) : (
        name
      )}
      {": "}
      <bdi lang="en">{message}</bdi>
    </Text>
  );
}

function Checks({ report: { checks } }: { report: Schemas["DoctorReport"] }) {
  const { t } = useTexts("doctor");
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {t("doctor.checks")}
      </Title>
      <DataTable
        place={{ maw: 700 }}
        rows={checks}
        keyOf={({ check }) => check}
        columns={[
          {
            head: t("doctor.check"),
            cell: ({ check }) => (isKnownCheck(check) ? t(`doctor.texts.${check}.title`) : check),
          },
          {
            head: t("words.result"),
            cell: ({ found }) => (found === 0 ? t("doctor.passed") : t("doctor.found", { count: found })),
          },
        ]}
      />
    </Stack>
  );
}
