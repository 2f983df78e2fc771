/** The files of the queue, and what each is doing. */
import { Badge, Button, Group, NativeSelect, Progress, Text } from "@mantine/core";
import { useId, useState } from "react";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { Pages, useLocalPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { useDescribeProblem } from "../ui/problems.tsx";
import { Section } from "../ui/section.tsx";
import { useDescribeLeftOut } from "./describe-left-out.ts";
import { UnreadableFile } from "./hash-file.ts";
import {
  countByStatus,
  hasCorrections,
  isRemarked,
  type Queue,
  type QueueItem,
  type Status,
} from "./queue.ts";
import { StoredRemarks } from "./stored-remarks.tsx";
import { removeItems, runner, TooLargeFile } from "./upload-store.ts";
import classes from "./uploads.module.css";

const PAGE_SIZE = 10;

/** What needs somebody comes first, then what is going on. */
const ORDER: readonly Status[] = [
  "failed",
  "storing",
  "sending",
  "hashing",
  "lookingUp",
  "unknown",
  "hashed",
  "waiting",
  "ready",
  "stored",
  "known",
  "undone",
  "ignored",
];

/** What was stored and is to be read comes before what is going on. */
const rankOf = (item: QueueItem): number =>
  isRemarked(item) ? ORDER.indexOf("failed") + 0.5 : ORDER.indexOf(item.status);

const RESULTS = ["stored", "known", "failed"] as const;

const UNEXAMINED: readonly Status[] = ["waiting", "hashing", "hashed", "lookingUp", "unknown", "sending"];
const isExamined = ({ status }: QueueItem): boolean => !UNEXAMINED.includes(status);
/** What failed while it was stored is stored again with the rest: it needs no attempt of its own before. */
const isUnexamined = ({ status, recognised, places }: QueueItem): boolean =>
  status === "failed" && !recognised && places.length === 0;
/** Nothing more is to be read or done about it. What an import doesn't store still says which books others belong to. */
const isFinished = (item: QueueItem): boolean =>
  item.bookId !== undefined &&
  !isRemarked(item) &&
  (item.status === "stored" || item.status === "known" || item.status === "undone");

/** A function that says why a file failed. */
export function useDescribeFailure(): (reason: unknown) => string {
  const { t, formatBytes } = useTexts("uploads");
  const describe = useDescribeProblem();
  return (reason) => {
    if (reason instanceof UnreadableFile) return t("uploads.unreadable");
    return reason instanceof TooLargeFile
      ? t("uploads.tooLarge", { size: formatBytes(reason.maxBytes) })
      : describe(reason);
  };
}

interface QueueListProps {
  queue: Queue;
  /** Whether its files are being stored. */
  isStoring: boolean;
}

export function QueueList({ queue, isStoring }: QueueListProps) {
  const { t } = useTexts("uploads");
  const id = useId();
  const [wanted, setWanted] = useState<string>("");
  const counts = countByStatus(queue);
  const examined = queue.filter(isExamined).length;
  const items = queue
    .filter(({ status }) => wanted === "" || status === wanted)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const { shown, pagination, change } = useLocalPages(items, PAGE_SIZE);
  const statuses = ORDER.filter((status) => counts.has(status));
  return (
    <Section
      title={t("words.files")}
      id={id}
      gap="sm"
      actions={<QueueActions queue={queue} isStoring={isStoring} />}
    >
      <Group justify="space-between">
        <QueueProgress queue={queue} />
        <NativeSelect
          aria-label={t("uploads.show")}
          value={statuses.find((status) => status === wanted) ?? ""}
          data={[
            { value: "", label: t("uploads.shownAll") },
            ...statuses.map((status) => ({
              value: status,
              label: `${t(`uploads.statuses.${status}`)} (${counts.get(status) ?? 0})`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => setWanted(value)}
        />
      </Group>
      <Progress value={(examined / Math.max(queue.length, 1)) * 100} aria-hidden />
      <DataTable
        isCards
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          { head: t("uploads.file"), className: classes.path, cell: (item) => <NameCell item={item} /> },
          { head: t("state"), isWide: true, cell: (item) => <StateCell item={item} /> },
        ]}
      />
      <Pages pagination={pagination} count={t("uploads.files", { count: items.length })} change={change} />
    </Section>
  );
}

function QueueActions({ queue, isStoring }: QueueListProps) {
  const { t } = useTexts("uploads");
  const removeAll = () => removeItems(queue.map((item) => item.id));
  const finished = queue.filter(isFinished);
  return (
    <Group gap="xs">
      {queue.some(isUnexamined) && (
        <Button size="compact-sm" variant="default" onClick={() => runner.dispatch({ type: "retried" })}>
          {t("uploads.retry")}
        </Button>
      )}
      {finished.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => removeItems(finished.map((item) => item.id))}
        >
          {t("uploads.clear")}
        </Button>
      )}
      {hasCorrections(queue) ? (
        <ConfirmButton
          size="compact-sm"
          color={undefined}
          disabled={isStoring}
          label={t("uploads.removeAll")}
          hint={t("uploads.removeAllHint")}
          run={async () => removeAll()}
        />
      ) : (
        <Button size="compact-sm" variant="subtle" disabled={isStoring} onClick={removeAll}>
          {t("uploads.removeAll")}
        </Button>
      )}
    </Group>
  );
}

function QueueProgress({ queue }: Pick<QueueListProps, "queue">) {
  const { t, formatNumber } = useTexts("uploads");
  const counts = countByStatus(queue);
  const examined = queue.filter(isExamined).length;
  const remarked = queue.filter(isRemarked).length;
  return (
    <Text role="status">
      {[
        t("uploads.progress", { done: formatNumber(examined), all: queue.length }),
        ...RESULTS.flatMap((status) => {
          const count = counts.get(status) ?? 0;
          return count > 0 ? t(`uploads.results.${status}`, { count }) : [];
        }),
        ...(remarked > 0 ? [t("uploads.remarked", { count: remarked })] : []),
      ].join(" ")}
    </Text>
  );
}

function NameCell({ item: { path, bytes } }: { item: QueueItem }) {
  const { formatBytes } = useTexts();
  return (
    <>
      <bdi>{path}</bdi>{" "}
      <Text span size="sm" c="dimmed">
        {formatBytes(bytes)}
      </Text>
    </>
  );
}

function StateCell({ item }: { item: QueueItem }) {
  const { t } = useTexts("uploads");
  const { status, part, isHeldUp, places } = item;
  const [place] = places;
  const isMoving = status === "hashing" || status === "sending";
  return (
    <>
      <Group gap="xs">
        <Badge className={classes.state} variant="default" tt="none">
          {isHeldUp ? t("uploads.heldUp") : t(`uploads.statuses.${status}`)}
        </Badge>
        {isMoving && <Progress value={part * 100} w={80} aria-hidden />}
        <Explanation item={item} />
      </Group>
      {place && isRemarked(item) && <StoredRemarks item={item} place={place} />}
    </>
  );
}

/** Why it isn't stored. */
function Explanation({ item: { status, error, kind, recognised } }: { item: QueueItem }) {
  const { t } = useTexts("uploads");
  const describeFailure = useDescribeFailure();
  const describeLeftOut = useDescribeLeftOut();
  if (status === "failed")
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        <bdi>{describeFailure(error)}</bdi>
      </Text>
    );
  if (status === "ignored")
    return <Text size="sm">{t(`uploads.whyIgnored.${kind === "about" ? "about" : "other"}`)}</Text>;
  if (status !== "ready") return null;
  return recognised?.errors.map((error) => (
    <Text key={error.reason} size="sm" dir="auto">
      {describeLeftOut(error)}
    </Text>
  ));
}
