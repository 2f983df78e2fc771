/** Makes books of files and folders: recognised and planned by the service, corrected by a person, then stored. */
import { Alert, List, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ImportsSection } from "../imports/imports-section.tsx";
import { useTexts } from "../messages/index.tsx";
import { OutdatedProvider } from "../shell/outdated.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { LoadFailure } from "../shell/problems.tsx";
import { CatalogueChoice } from "./catalogue-choice.tsx";
import { useCatalogues } from "./catalogues.ts";
import { DraftTable } from "./draft-table.tsx";
import { draftByPlan, findCovers, findTextBooks, type Plan } from "./drafts.ts";
import { DropArea } from "./drop-area.tsx";
import { listLeftOut } from "./left-out.ts";
import { LeftOutList } from "./left-out-list.tsx";
import { leftOutMessages } from "./left-out-messages.ts";
import { uploadsMessages } from "./messages.ts";
import { listCorrections, listPlanned, planQuery } from "./plan.ts";
import { listQuestions } from "./questions.ts";
import { isBusy, type Queue } from "./queue.ts";
import { QueueList, useDescribeFailure } from "./queue-list.tsx";
import { useRun } from "./run-store.ts";
import { UnsureBooks } from "./unsure-books.tsx";
import { addFiles, useQueue, useRefreshAfter } from "./upload-store.ts";

export default function ImportPage() {
  const { t } = useTexts(uploadsMessages);
  const queue = useQueue(undefined);
  const catalogues = useCatalogues();
  const { isRunning } = useRun();
  useRefreshAfter(queue);
  return (
    <PermittedPage permission="edit_books" title={t.uploads.title}>
      <Text maw={720}>{t.uploads.intro}</Text>
      <DropArea add={addFiles} />
      {catalogues.files.length > 0 && <CatalogueChoice catalogues={catalogues} isDisabled={isRunning} />}
      {queue.length > 0 && (
        <>
          <QueueList queue={queue} />
          <PlannedDrafts queue={queue} />
        </>
      )}
      <ImportsSection />
    </PermittedPage>
  );
}

/** Once everything is examined: only all files together say which books they are. */
function PlannedDrafts({ queue }: { queue: Queue }) {
  const { t } = useTexts(uploadsMessages);
  const { chosen: catalogue, ignoresColumns } = useCatalogues();
  const run = useRun();
  const describe = useDescribeFailure();
  // While files are stored, the plan stays as it is.
  const files = useMemo(() => listPlanned(queue), [queue]);
  const corrections = useHeld(
    useMemo(() => listCorrections(queue), [queue]),
    run.isRunning,
  );
  const isExamining = isBusy(queue) && !run.isRunning;
  const request = { files, corrections, catalogue, ignoresColumns };
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...planQuery(request, run.ended),
    enabled: !isExamining && files.length > 0,
    // None of no files.
    placeholderData: files.length > 0 ? keepPreviousData : undefined,
  });
  const plan = useTranslated(data);
  const drafts = plan ? draftByPlan(queue, plan, t.uploads.draftNotes) : [];
  const textBooks = plan ? findTextBooks(queue, plan, drafts) : [];
  const entries = isExamining ? [] : listLeftOut(queue, plan, drafts, run, { ...t.uploads, describe });
  return (
    <>
      {error && <LoadFailure error={error} retry={refetch} />}
      {plan && plan.notices.length > 0 && (
        <Alert color="blue" title={t.uploads.notices}>
          <List>
            {plan.notices.map((notice) => (
              <List.Item key={notice} dir="auto">
                {notice}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {plan && (
        <OutdatedProvider value={isPlaceholderData}>
          <UnsureBooks questions={listQuestions(drafts, plan)} />
          <DraftTable
            drafts={drafts}
            planned={{ plan, request, textBooks, covers: findCovers(queue, plan) }}
          />
        </OutdatedProvider>
      )}
      <Text role="status">{(isFetching || isPlaceholderData) && t.uploads.planning}</Text>
      {entries.length > 0 && <LeftOutList entries={entries} />}
    </>
  );
}

/** What the value was before it was held. */
function useHeld<T>(value: T, isHeld: boolean): T {
  const [last, setLast] = useState(value);
  if (!isHeld && last !== value) setLast(value);
  return isHeld ? last : value;
}

/** The plan with its reasons in the language of the console. */
function useTranslated(plan: Plan | undefined): Plan | undefined {
  const texts = useTexts(leftOutMessages).t.leftOutReasons;
  return useMemo(() => {
    const leftOut = plan?.leftOut.map(({ reason, ...each }) => {
      const text = (each.code && texts[each.code]) ?? reason;
      return { ...each, reason: typeof text === "string" ? text : text(each.by ?? "") };
    });
    return plan && leftOut && { ...plan, leftOut };
  }, [plan, texts]);
}
