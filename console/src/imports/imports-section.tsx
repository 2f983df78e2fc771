/** The imports that the service runs or has run: how far they are, what has become of them, and their undo. */
import { Alert, Badge, Button, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { ImportResult } from "./import-result.tsx";
import { importsMessages } from "./messages.ts";
import {
  findText,
  importsQuery,
  isRunning,
  type ListedImport,
  saveResult,
  useCancelImport,
  useStartImport,
  useUndoImport,
} from "./queries.ts";
import { UndoResult } from "./undo-result.tsx";

export function ImportsSection() {
  const { t } = useTexts(importsMessages);
  const { data } = useQuery(importsQuery);
  const imports = data?.imports ?? [];
  useRefreshedLibrary(imports.filter(isRunning).length);
  if (imports.length === 0) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="service-imports">
      <Title order={2} size="h3" id="service-imports">
        {t.imports.title}
      </Title>
      <Text maw="70ch" c="dimmed">
        {t.imports.about}
      </Text>
      {imports.map((each) => (
        <ImportEntry key={each.id} entry={each} />
      ))}
    </Stack>
  );
}

/** What was read of the library is outdated when an import, or its undo, has ended. */
function useRefreshedLibrary(running: number): void {
  const queries = useQueryClient();
  const before = useRef(running);
  useEffect(() => {
    if (running < before.current)
      for (const queryKey of [["books"], ["publications"], ["languages"], ["import plan"]])
        void queries.invalidateQueries({ queryKey });
    before.current = running;
  }, [running, queries]);
}

function ImportEntry({ entry }: { entry: ListedImport }) {
  const { t, formatTime } = useTexts(importsMessages);
  const name = t.imports.name(formatTime(entry.startedAt ?? entry.createdAt));
  return (
    <Paper withBorder p="sm" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={500}>{name}</Text>
            <StateBadge entry={entry} />
            <Text size="sm" c="dimmed">
              {t.imports.files(entry.filesCount)}
            </Text>
          </Group>
          <Actions entry={entry} name={name} />
        </Group>
        <Details entry={entry} name={name} />
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
  const { t } = useTexts(importsMessages);
  const { undoing, undone, states } = t.imports;
  const ofUndo: Readonly<Record<string, string>> = { ...states, running: undoing, done: undone };
  const color = undo && state === "done" ? "gray.8" : findText(COLOURS, state, "gray.8");
  return (
    <Badge color={color} miw="max-content">
      {findText(undo ? ofUndo : states, state)}
    </Badge>
  );
}

interface EntryProps {
  entry: ListedImport;
  /** By which buttons of several imports differ. */
  name: string;
}

function Details({ entry, name }: EntryProps) {
  const { t, formatNumber, formatTime } = useTexts(importsMessages);
  const { state, undo, progress, filesCount, error, archived, undoableUntil } = entry;
  const isImporting = state === "running" && !undo;
  const text = t.imports.progress(formatNumber(progress.files), formatNumber(filesCount));
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
      {archived && !undo && <Text size="sm">{t.imports.archived}</Text>}
      {error?.code === "instance_lost" && <Alert color="red" title={t.imports.lost} />}
      {error && error.code !== "instance_lost" && (
        <Alert color="red" title={t.imports.states.failed}>
          <bdi lang="en">{error.message}</bdi>
        </Alert>
      )}
      {undo && <UndoResult undo={undo} />}
      {canBeUndone(entry) && undoableUntil && (
        <Text size="sm" c="dimmed">
          {t.imports.undoUntil(formatTime(undoableUntil))}
        </Text>
      )}
      {entry.startedAt && !isImporting && <ImportResult entry={entry} name={name} />}
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
  const { t } = useTexts(importsMessages);
  const notifyProblem = useNotifyProblem();
  const [start, cancel] = [useStartImport(), useCancelImport()];
  const save = useMutation({ mutationFn: saveResult, onError: notifyProblem });
  const { id, state, undo, startedAt } = entry;
  const act = { onError: notifyProblem };
  return (
    <Group gap="xs">
      {state === "running" && (
        <Button
          size="compact-sm"
          variant="default"
          loading={cancel.isPending}
          disabled={cancel.isSuccess}
          aria-label={t.imports.cancelOf(name)}
          onClick={() => cancel.mutate(id, act)}
        >
          {t.cancel}
        </Button>
      )}
      {(state === "failed" || state === "cancelled") && !undo && (
        <Button
          size="compact-sm"
          variant="default"
          loading={start.isPending}
          aria-label={t.imports.startOf(name)}
          onClick={() => start.mutate(id, act)}
        >
          {t.imports.start}
        </Button>
      )}
      {startedAt && state !== "running" && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={save.isPending}
          aria-label={t.imports.csvOf(name)}
          onClick={() => save.mutate(id)}
        >
          {t.imports.csv}
        </Button>
      )}
      {canBeUndone(entry) && <UndoButton entry={entry} name={name} />}
    </Group>
  );
}

function UndoButton({ entry: { id }, name }: EntryProps) {
  const { t } = useTexts(importsMessages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const undo = useUndoImport();
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={t.imports.undoOf(name)}
        onClick={open}
      >
        {t.undo}
      </Button>
      <FormDialog title={t.imports.undoOf(name)} isOpen={isOpen} close={close}>
        <ConfirmForm
          hint={t.imports.undoHint}
          action={t.undo}
          run={() => undo.mutateAsync(id)}
          close={close}
        />
      </FormDialog>
    </>
  );
}
