/** The files of an import: their catalogue, what each is doing, what is planned of them, and the start. */
import { Alert, Checkbox, Group, List, NativeSelect, Paper, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import { OutdatedProvider } from "../ui/outdated.tsx";
import { LoadFailure } from "../ui/problems.tsx";
import { listUnknownColumns, UnknownColumns, WrongCells } from "./catalogue-corrections.tsx";
import { type Catalogues, chooseCatalogue, ignoreColumns, useCatalogues } from "./catalogues.ts";
import { listChoices } from "./corrections.ts";
import { useDescribeBookError, useDescribeLeftOut, useDescribeNotice } from "./describe-left-out.ts";
import { DraftTable } from "./draft-table.tsx";
import { draftByPlan, type Plan, type PlannedBook } from "./drafts.ts";
import { listLeftOut } from "./left-out.ts";
import { LeftOutList } from "./left-out-list.tsx";
import { listPlanned, planQuery } from "./plan.ts";
import { listQuestions } from "./questions.ts";
import { isBusy, type Queue } from "./queue.ts";
import { QueueList, useDescribeFailure } from "./queue-list.tsx";
import { type Corrected, StartImport, useIsStarting } from "./start-import.tsx";
import { UnsureBooks } from "./unsure-books.tsx";

type BookError = PlannedBook["errors"][number];

interface ImportFilesProps {
  queue: Queue;
  isAdding: boolean;
}

export default function ImportFiles({ queue, isAdding }: ImportFilesProps) {
  const catalogues = useCatalogues();
  const isStarting = useIsStarting();
  return (
    <>
      {catalogues.files.length > 0 && <CatalogueChoice catalogues={catalogues} isDisabled={isStarting} />}
      {queue.length > 0 && <QueueList queue={queue} isStoring={isStarting} />}
      {(queue.length > 0 || catalogues.chosen !== undefined) && (
        <PlannedDrafts queue={queue} isAdding={isAdding} />
      )}
    </>
  );
}

/** Once everything is examined: only all files together say which books they are. */
function PlannedDrafts({ queue, isAdding }: ImportFilesProps) {
  const { t } = useTexts("uploads");
  const { chosen: catalogue, ignoresColumns, cells } = useCatalogues();
  const describe = useDescribeFailure();
  const describeLeftOut = useDescribeLeftOut();
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
        describe: describeLeftOut,
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
      {data && !isStarting && <WrongCells plan={data} />}
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
  const describeNotice = useDescribeNotice();
  return (
    <>
      {plan.notices.length > 0 && (
        <Alert color="blue" title={t("uploads.notices")}>
          <List>
            {plan.notices.map((notice) => (
              <List.Item key={notice.message}>{describeNotice(notice)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
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
  const describeError = useDescribeBookError();
  if (!plan) return undefined;
  const sayAll = (error: BookError) => {
    const { place, sentence } = describeError(error);
    // The service begins with it.
    return place === "" || sentence === error.message ? sentence : `${place}: ${sentence}`;
  };
  return {
    ...plan,
    leftOut: plan.leftOut.map((each) => ({ ...each, reason: describe(each) })),
    books: plan.books.map((book) => ({
      ...book,
      errors: book.errors.map((error) => ({ ...error, message: sayAll(error) })),
    })),
  };
}

/** The file by which books are planned. */
function CatalogueChoice({ catalogues, isDisabled }: { catalogues: Catalogues; isDisabled: boolean }) {
  const { t } = useTexts("uploads");
  const { files, chosen, ignoresColumns } = catalogues;
  const isTable = chosen !== undefined && !/\.json$/i.test(chosen.name);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group align="end">
          <NativeSelect
            label={t("uploads.catalogue")}
            value={chosen?.name ?? ""}
            disabled={isDisabled}
            data={[
              ...files.map(({ name }) => ({ value: name, label: name })),
              { value: "", label: t("uploads.noCatalogue") },
            ]}
            onChange={({ currentTarget: { value } }) => chooseCatalogue(value || undefined)}
          />
          {isTable && (
            <Checkbox
              mb="xs"
              label={t("uploads.ignoreColumns")}
              checked={ignoresColumns}
              disabled={isDisabled}
              onChange={({ currentTarget: { checked } }) => ignoreColumns(checked)}
            />
          )}
        </Group>
        {chosen && <Note>{t("uploads.catalogueHint")}</Note>}
      </Stack>
    </Paper>
  );
}
