/** Makes books of files and folders: recognised and planned by the service, corrected by a person, then stored by the service. */
import { Alert, List, Text } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ImportsSection } from "../imports/imports-section.tsx";
import { importsQuery } from "../imports/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { OutdatedProvider } from "../shell/outdated.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { LoadFailure } from "../shell/problems.tsx";
import { CatalogueChoice } from "./catalogue-choice.tsx";
import { useCatalogues } from "./catalogues.ts";
import { useOwnImports } from "./collecting.ts";
import { DraftTable } from "./draft-table.tsx";
import { draftByPlan, type Plan } from "./drafts.ts";
import { DropArea } from "./drop-area.tsx";
import { listLeftOut } from "./left-out.ts";
import { LeftOutList } from "./left-out-list.tsx";
import { useDescribeLeftOut } from "./left-out-messages.ts";
import { uploadsMessages } from "./messages.ts";
import { listChoices, listPlanned, planQuery } from "./plan.ts";
import { listQuestions } from "./questions.ts";
import { isBusy, type Queue } from "./queue.ts";
import { QueueList, useDescribeFailure } from "./queue-list.tsx";
import { StartImport, useIsStarting } from "./start-import.tsx";
import { UnsureBooks } from "./unsure-books.tsx";
import { addFiles, useQueue } from "./upload-store.ts";

export default function ImportPage() {
  const { t } = useTexts(uploadsMessages);
  const queue = useQueue(undefined);
  const catalogues = useCatalogues();
  const isStarting = useIsStarting();
  const own = useOwnImports();
  const queries = useQueryClient();
  useEffect(() => {
    if (own.collecting !== undefined) void queries.invalidateQueries(importsQuery);
  }, [own, queries]);
  return (
    <PermittedPage permission="edit_books" title={t.uploads.title}>
      <Text maw={720}>{t.uploads.intro}</Text>
      <DropArea add={addFiles} />
      {catalogues.files.length > 0 && <CatalogueChoice catalogues={catalogues} isDisabled={isStarting} />}
      {queue.length > 0 && (
        <>
          <QueueList queue={queue} isStoring={isStarting} />
          <PlannedDrafts queue={queue} />
        </>
      )}
      <ImportsSection hidden={queue.length > 0 ? own.collecting : undefined} opened={own.started} />
    </PermittedPage>
  );
}

/** Once everything is examined: only all files together say which books they are. */
function PlannedDrafts({ queue }: { queue: Queue }) {
  const { t } = useTexts(uploadsMessages);
  const { chosen: catalogue, ignoresColumns } = useCatalogues();
  const describe = useDescribeFailure();
  const isStarting = useIsStarting();
  const files = useMemo(() => listPlanned(queue), [queue]);
  const corrections = useMemo(() => listChoices(queue), [queue]);
  const isExamining = isBusy(queue) && !isStarting;
  const request = { files, corrections, catalogue, ignoresColumns };
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...planQuery(request),
    enabled: !isExamining && !isStarting && files.length > 0,
    // None of no files.
    placeholderData: files.length > 0 ? keepPreviousData : undefined,
  });
  const plan = useTranslated(data);
  const drafts = plan ? draftByPlan(queue, plan, t.uploads.draftNotes) : [];
  const entries = isExamining ? [] : listLeftOut(queue, plan, drafts, { ...t.uploads, describe });
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
            bookBy={catalogue ? "catalogue" : "person"}
            isDisabled={isStarting}
            newLanguages={plan.languages}
          />
          <StartImport queue={queue} drafts={drafts} plan={plan} request={request} />
        </OutdatedProvider>
      )}
      <Text role="status">{(isFetching || isPlaceholderData) && t.uploads.planning}</Text>
      {entries.length > 0 && <LeftOutList entries={entries} />}
    </>
  );
}

/** The plan with its reasons in the language of the console. */
function useTranslated(plan: Plan | undefined): Plan | undefined {
  const describe = useDescribeLeftOut();
  const leftOut = plan?.leftOut.map((each) => ({ ...each, reason: describe(each) }));
  return plan && leftOut && { ...plan, leftOut };
}
