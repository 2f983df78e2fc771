/** The imports that the service runs or has run: how far they are, what has become of them, and their undo. */
import { Alert, Badge, Group, List, Paper, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { ActionButton } from "../ui/action-button.tsx";
import { RecordLink } from "../ui/list-links.tsx";
import { Note } from "../ui/note.tsx";
import { useDescribeReason } from "../ui/problems.tsx";
import { Section } from "../ui/section.tsx";
import { ImportResult } from "./import-result.tsx";
import {
  importQuery,
  importsQuery,
  type ListedImport,
  saveResult,
  useCancelImport,
  useStartImport,
  useUndoImport,
} from "./queries.ts";

interface ImportsSectionProps {
  /** The id of the one that the page shows already. */
  hidden: string | undefined;
  /** The id of the one whose result is shown at once. */
  opened: string | undefined;
}

export function ImportsSection({ hidden, opened }: ImportsSectionProps) {
  const { t } = useTexts("uploads");
  const { data } = useQuery(importsQuery);
  const imports = (data?.imports ?? []).filter((each) => each.id !== hidden && !isDropped(each));
  if (imports.length === 0) return null;
  return (
    <Section title={t("imports.title")} id="service-imports" gap="sm">
      <Text maw="70ch" c="dimmed">
        {t("imports.about")}
      </Text>
      {imports.map((each) => (
        <ImportEntry key={each.id} entry={each} isOpened={each.id === opened} />
      ))}
    </Section>
  );
}

/** It was given up, or another one of the same files has taken its place. */
const isDropped = ({ state, startedAt }: ListedImport): boolean =>
  state === "cancelled" && startedAt === null;

function ImportEntry({ entry, isOpened }: { entry: ListedImport; isOpened: boolean }) {
  const { t, formatTime } = useTexts("uploads");
  const name = t("imports.name", { time: formatTime(entry.startedAt ?? entry.createdAt) });
  return (
    <Paper withBorder p="sm" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={500}>{name}</Text>
            <StateBadge entry={entry} />
            <Note>{t("uploads.files", { count: entry.filesCount })}</Note>
          </Group>
          <Actions entry={entry} name={name} />
        </Group>
        <Details entry={entry} />
        {entry.state === "collecting" && <Collected entry={entry} />}
        {entry.startedAt && (entry.state !== "running" || entry.undo) && (
          <ImportResult entry={entry} name={name} isOpened={isOpened} />
        )}
      </Stack>
    </Paper>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  collecting: "gray.8",
  running: "blue.9",
  done: "teal.9",
  failed: "red.9",
  cancelled: "gray.8",
};

function StateBadge({ entry: { state, undo } }: { entry: ListedImport }) {
  const { t, findText } = useTexts("uploads");
  const ofUndo: Readonly<Record<string, string>> = {
    running: t("imports.undoing"),
    done: t("imports.undone"),
  };
  const color = undo && state === "done" ? "gray.8" : COLOURS[state];
  const text = (undo && ofUndo[state]) ?? findText(`imports.states.${state}`) ?? state;
  return (
    <Badge color={color ?? "gray.8"} miw="max-content">
      {text}
    </Badge>
  );
}

interface EntryProps {
  entry: ListedImport;
  /** By which buttons of several imports differ. */
  name: string;
}

/** What of it the service doesn't have, and how it goes on. */
function Collected({ entry }: { entry: ListedImport }) {
  const { t, formatNumber } = useTexts("uploads");
  const { data } = useQuery(importQuery(entry));
  if (!data) return null;
  const missing = data.missing.length;
  return (
    <Text size="sm">
      {missing > 0
        ? t("imports.missing", { count: missing, all: formatNumber(entry.filesCount) })
        : t("imports.complete")}{" "}
      {t("imports.chooseAgain")}
    </Text>
  );
}

function Details({ entry }: { entry: ListedImport }) {
  const { t, formatNumber, formatTime } = useTexts("uploads");
  const describe = useDescribeReason();
  const { state, undo, progress, filesCount, error, archived, undoableUntil } = entry;
  const isImporting = state === "running" && !undo;
  const text = t("imports.progress", { files: formatNumber(progress.files), all: formatNumber(filesCount) });
  return (
    <>
      {isImporting && (
        <>
          <Text role="status">{text}</Text>
          <Progress.Root>
            <Progress.Section value={(100 * progress.files) / filesCount} aria-label={text} />
          </Progress.Root>
        </>
      )}
      {archived && !undo && <Text size="sm">{t("imports.archived")}</Text>}
      {error?.code === "instance_lost" && <Alert color="red" title={t("imports.lost")} />}
      {error && error.code !== "instance_lost" && (
        <Alert color="red" title={t("imports.states.failed")}>
          <bdi>{describe(error)}</bdi>
        </Alert>
      )}
      {undo && <UndoResult undo={undo} />}
      {canBeUndone(entry) && undoableUntil && (
        <Note>{t("imports.undoUntil", { time: formatTime(undoableUntil) })}</Note>
      )}
    </>
  );
}

/** Also again, if an undo was cancelled or lost. */
const canBeUndone = ({ state, undo, undoableUntil }: ListedImport): boolean =>
  state !== "running" &&
  state !== "collecting" &&
  undoableUntil !== null &&
  Date.parse(undoableUntil) > Date.now() &&
  (undo === null || state !== "done");

function Actions({ entry, name }: EntryProps) {
  const { t } = useTexts("uploads");
  const [start, cancel] = [useStartImport(), useCancelImport()];
  const { id, state, undo, startedAt } = entry;
  return (
    <Group gap="xs">
      {(state === "running" || state === "collecting") && (
        <ActionButton
          size="compact-sm"
          disabled={cancel.isSuccess}
          label={t("cancel")}
          name={t("imports.cancelOf", { name })}
          run={() => cancel.mutateAsync(id)}
        />
      )}
      {(state === "failed" || state === "cancelled") && !undo && (
        <ActionButton
          size="compact-sm"
          label={t("imports.start")}
          name={t("imports.startOf", { name })}
          run={() => start.mutateAsync(id)}
        />
      )}
      {startedAt && state !== "running" && (
        <ActionButton
          size="compact-sm"
          variant="subtle"
          label={t("uploads.csv")}
          name={t("imports.csvOf", { name })}
          run={() => saveResult(id)}
        />
      )}
      {canBeUndone(entry) && <UndoButton entry={entry} name={name} />}
    </Group>
  );
}

function UndoButton({ entry: { id }, name }: EntryProps) {
  const { t } = useTexts("uploads");
  const undo = useUndoImport();
  return (
    <ConfirmButton
      size="compact-sm"
      label={t("undo")}
      name={t("imports.undoOf", { name })}
      hint={t("imports.undoHint")}
      run={() => undo.mutateAsync(id)}
    />
  );
}

/** What the undo of an import has done, and of which books something stays. */
function UndoResult({ undo }: { undo: Schemas["ImportUndo"] }) {
  const { t, findText } = useTexts("uploads");
  const { archived, inactive, restored, kept } = undo;
  return (
    <>
      <Text>{t("imports.undid", { books: archived, files: inactive, texts: restored })}</Text>
      {kept.length > 0 && (
        <>
          <Text>{t("imports.kept")}</Text>
          <List size="sm">
            {kept.map(({ bookId, slug, code, reason }) => (
              <List.Item key={`${bookId} ${code}`}>
                <RecordLink to={`/books/${bookId}`}>{slug}</RecordLink>:{" "}
                {findText(`imports.keptCodes.${code}`) ?? reason}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
