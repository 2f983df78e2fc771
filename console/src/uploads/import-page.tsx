/** Makes books of files and folders: recognised and planned by the service, corrected by a person, then stored by the service. */
import { Alert, List, Text } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { ImportsSection } from "../imports/imports-section.tsx";
import { importsQuery } from "../imports/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { OutdatedProvider } from "../ui/outdated.tsx";
import { LoadFailure } from "../ui/problems.tsx";
import { CatalogueChoice } from "./catalogue-choice.tsx";
import { listUnknownColumns, UnknownColumns, WrongCells } from "./catalogue-corrections.tsx";
import { useCatalogues } from "./catalogues.ts";
import { useOwnImports } from "./collecting.ts";
import { useDescribeLeftOut } from "./describe-left-out.ts";
import { DraftTable } from "./draft-table.tsx";
import { draftByPlan, type Plan } from "./drafts.ts";
import { DropArea } from "./drop-area.tsx";
import { listLeftOut } from "./left-out.ts";
import { LeftOutList } from "./left-out-list.tsx";
import { listChoices, listPlanned, planQuery } from "./plan.ts";
import { listQuestions } from "./questions.ts";
import { isBusy, type Queue } from "./queue.ts";
import { QueueList, useDescribeFailure } from "./queue-list.tsx";
import { type Corrected, StartImport, useIsStarting } from "./start-import.tsx";
import { UnsureBooks } from "./unsure-books.tsx";
import { addFiles, useIsAdding, useQueue } from "./upload-store.ts";

export default function ImportPage() {
  const { t } = useTexts("uploads");
  const queue = useQueue(undefined);
  // Read where the queue is: a spreadsheet isn't alone while the files beside it are added.
  const isAdding = useIsAdding();
  const catalogues = useCatalogues();
  const isStarting = useIsStarting();
  usePastedTables();
  const own = useOwnImports();
  const hasSomething = queue.length > 0 || catalogues.chosen !== undefined;
  const queries = useQueryClient();
  useEffect(() => {
    if (own.collecting !== undefined) void queries.invalidateQueries(importsQuery);
  }, [own, queries]);
  return (
    <PermittedPage permission="edit_books" title={t("uploads.title")}>
      <Text maw={720}>{t("uploads.intro")}</Text>
      <DropArea hint={t("uploads.pasteHint")} add={addFiles} />
      {catalogues.files.length > 0 && <CatalogueChoice catalogues={catalogues} isDisabled={isStarting} />}
      {queue.length > 0 && <QueueList queue={queue} isStoring={isStarting} />}
      {hasSomething && <PlannedDrafts queue={queue} isAdding={isAdding} />}
      <ImportsSection hidden={hasSomething ? own.collecting : undefined} opened={own.started} />
    </PermittedPage>
  );
}

const PASTED = "pasted.csv";

/** A table that was copied in a spreadsheet program, and is pasted anywhere but into a field. */
function usePastedTables(): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      const text = clipboardData?.getData("text/plain") ?? "";
      const isInField =
        target instanceof Element && target.closest("input, textarea, [role=dialog]") !== null;
      if (isInField || !/\t.*\n/.test(text)) return;
      event.preventDefault();
      void addFiles([{ path: PASTED, file: new File([text], PASTED, { type: "text/csv" }) }]);
    };
    window.addEventListener("paste", take);
    return () => window.removeEventListener("paste", take);
  }, []);
}

/** Once everything is examined: only all files together say which books they are. */
function PlannedDrafts({ queue, isAdding }: { queue: Queue; isAdding: boolean }) {
  const { t } = useTexts("uploads");
  const { chosen: catalogue, ignoresColumns, cells } = useCatalogues();
  const describe = useDescribeFailure();
  const isStarting = useIsStarting();
  const files = useMemo(() => listPlanned(queue), [queue]);
  const corrections = useMemo(() => listChoices(queue), [queue]);
  const isExamining = (isAdding || isBusy(queue)) && !isStarting;
  const request = { files, corrections, catalogue, ignoresColumns, cells };
  // A spreadsheet alone describes texts.
  const hasFiles = files.length > 0 || catalogue !== undefined;
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...planQuery(request),
    enabled: !isExamining && !isStarting && hasFiles,
    // None of no files.
    placeholderData: hasFiles ? keepPreviousData : undefined,
  });
  const plan = useTranslated(data);
  const drafts = plan
    ? draftByPlan(queue, plan, {
        copy: (path) => t("uploads.draftNotes.copy", { path }),
        known: t("uploads.draftNotes.known"),
        differs: t("uploads.draftNotes.differs"),
        unsure: t("uploads.draftNotes.unsure"),
      })
    : [];
  const entries = isExamining
    ? []
    : listLeftOut(queue, plan, drafts, {
        whyIgnored: { other: t("uploads.whyIgnored.other"), about: t("uploads.whyIgnored.about") },
        whyExcluded: t("uploads.whyExcluded"),
        whyIncomplete: t("uploads.whyIncomplete"),
        describe,
      });
  return (
    <>
      <PlanFailure key={catalogue?.id} error={error} retry={refetch} />
      {plan && (
        <OutdatedProvider value={isPlaceholderData}>
          <Corrections queue={queue} plan={plan} drafts={drafts} request={request} />
        </OutdatedProvider>
      )}
      <Text role="status">{(isFetching || isPlaceholderData) && t("uploads.planning")}</Text>
      {entries.length > 0 && <LeftOutList entries={entries} />}
    </>
  );
}

function PlanFailure({ error, retry }: { error: unknown; retry(): unknown }) {
  const columns = listUnknownColumns(error);
  if (columns.length > 0) return <UnknownColumns columns={columns} />;
  return error ? <LoadFailure error={error} retry={retry} /> : null;
}

/** What is to be answered and corrected, and the start. */
function Corrections(corrected: Corrected) {
  const { t } = useTexts("uploads");
  const { plan, drafts, request } = corrected;
  const isStarting = useIsStarting();
  return (
    <>
      {plan.notices.length > 0 && (
        <Alert color="blue" title={t("uploads.notices")}>
          <List>
            {plan.notices.map((notice) => (
              <List.Item key={notice} dir="auto">
                {notice}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {!isStarting && <WrongCells plan={plan} />}
      <UnsureBooks questions={listQuestions(drafts, plan)} />
      <DraftTable
        drafts={drafts}
        bookBy={request.catalogue ? "catalogue" : "person"}
        isDisabled={isStarting}
        newLanguages={plan.languages}
      />
      <StartImport {...corrected} />
    </>
  );
}

/** The plan with its reasons in the language of the console. */
function useTranslated(plan: Plan | undefined): Plan | undefined {
  const describe = useDescribeLeftOut();
  const leftOut = plan?.leftOut.map((each) => ({ ...each, reason: describe(each) }));
  return plan && leftOut && { ...plan, leftOut };
}
