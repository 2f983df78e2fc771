/** What an import would store, what readers get by it, and its start. */
import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { importsQuery } from "../imports/queries.ts";
import { writeCsv, writePlainCsv } from "../lib/csv.ts";
import { saveFile } from "../lib/save-file.ts";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import { useOutdated } from "../ui/outdated.tsx";
import { LoadFailure } from "../ui/problems.tsx";
import { correctCsv } from "./correct-csv.ts";
import { areRegrouped, describeBooks, findSlugs, listCorrections } from "./corrections.ts";
import {
  type BookDrafts,
  type Draft,
  findCovers,
  findNewLanguages,
  findTextBooks,
  groupByBook,
  type Plan,
  type PlannedBook,
  readFileName,
} from "./drafts.ts";
import { countForReaders, listNewBooks } from "./for-readers.ts";
import { describeImport, type ImportRequest } from "./import-body.ts";
import { planWhatIsThere } from "./plan.ts";
import type { Queue } from "./queue.ts";
import { startImport } from "./upload-store.ts";

export interface Corrected {
  queue: Queue;
  drafts: readonly Draft[];
  plan: Plan;
  /** Of which the plan was made. */
  request: ImportRequest;
}

const START = ["start import"];

/** Whether an import of this window is being started. */
export const useIsStarting = (): boolean => useIsMutating({ mutationKey: START }) > 0;

export function StartImport(corrected: Corrected) {
  const { t, nameLanguage } = useTexts("uploads");
  const { queue, drafts, plan } = corrected;
  const queries = useQueryClient();
  const isOutdated = useOutdated();
  const isStarting = useIsStarting();
  const [archives, setArchives] = useState(false);
  const textBooks = findTextBooks(plan, drafts);
  const groups = groupByBook(drafts, findCovers(queue, plan), textBooks);
  const fresh = listNewBooks(groups, plan);
  const count = groups.reduce((sum, group) => sum + group.drafts.length, 0);
  const newLanguages = groups.length > 0 ? findNewLanguages(plan, drafts) : [];
  const { mutate, error } = useMutation({
    mutationKey: START,
    mutationFn: async () => startImport(await completeRequest(corrected, groups), archives),
    onSettled: () => queries.invalidateQueries(importsQuery),
  });
  const saving = useMutation({ mutationFn: () => saveSpreadsheet(corrected, groups) });
  if (drafts.length === 0 && textBooks.length === 0) return null;
  return (
    <Stack gap="sm">
      {textBooks.length > 0 && <TextBooks books={textBooks} />}
      {newLanguages.length > 0 && (
        <Text>
          {t("uploads.newLanguages", { names: newLanguages.map((each) => nameLanguage(each)).join(", ") })}
        </Text>
      )}
      <ArchiveChoice books={fresh} archives={archives} change={setArchives} />
      <Group>
        <Button loading={isStarting} disabled={groups.length === 0 || isOutdated} onClick={() => mutate()}>
          {count === 0 && groups.length > 0
            ? t("uploads.storeBooks", { count: groups.length })
            : t("uploads.store", { count })}
        </Button>
        {groups.length > 0 && (
          <Text c="dimmed">{t("uploads.books", { count: groups.length, fresh: fresh.length })}</Text>
        )}
        {groups.length > 0 && canBeSaved(corrected) && (
          <Button variant="subtle" loading={saving.isPending} onClick={() => saving.mutate()}>
            {t("uploads.saveSpreadsheet")}
          </Button>
        )}
      </Group>
      {error && !isStarting && <LoadFailure error={error} retry={() => mutate()} />}
      {saving.error && !saving.isPending && (
        <LoadFailure error={saving.error} retry={() => saving.mutate()} />
      )}
    </Stack>
  );
}

/** Of its own folder. */
const SPREADSHEET = "catalogue.csv";

/** With what was corrected. Books that somebody has put together are described by a spreadsheet. */
async function completeRequest(
  { queue, drafts, plan, request }: Corrected,
  groups: readonly BookDrafts[],
): Promise<ImportRequest> {
  const isDescribed = !request.catalogue && areRegrouped(drafts);
  const corrections = listCorrections(queue, drafts, request.corrections, isDescribed);
  if (!isDescribed) return { ...request, corrections };
  const { root } = await describeImport(request);
  const text = writePlainCsv(describeBooks(groups, { plan, root, corrections }));
  const file = new File([text], SPREADSHEET, { type: "text/csv" });
  return { ...request, corrections, catalogue: { id: 0, name: root + SPREADSHEET, file } };
}

/** Of somebody's own spreadsheet, what is corrected of files isn't in its cells, and a workbook isn't written. */
const canBeSaved = ({ queue, drafts, request: { catalogue, cells, corrections } }: Corrected): boolean =>
  !catalogue ||
  (/\.csv$/i.test(catalogue.name) &&
    cells.length > 0 &&
    listCorrections(queue, drafts, corrections, false).length === 0);

/** By which another import of the folder makes the same books, also when these are stored. */
async function saveSpreadsheet(corrected: Corrected, groups: readonly BookDrafts[]): Promise<void> {
  const { catalogue, cells, ignoresColumns } = corrected.request;
  if (catalogue) {
    const bytes = new Uint8Array(await catalogue.file.arrayBuffer());
    return saveFile(readFileName(catalogue.name), correctCsv(bytes, cells, ignoresColumns));
  }
  const request = await completeRequest(corrected, groups);
  const { root } = await describeImport(request);
  const slugs = request.catalogue && findSlugs(await planWhatIsThere(request));
  const described = { plan: corrected.plan, root, corrections: request.corrections, ...(slugs && { slugs }) };
  saveFile(SPREADSHEET, writeCsv(describeBooks(groups, described)));
}

/** Of books that are stored without a file. */
const MAX_NAMED = 10;

function TextBooks({ books }: { books: readonly PlannedBook[] }) {
  const { t } = useTexts("uploads");
  const names = books.slice(0, MAX_NAMED).map(({ titleEn }) => titleEn);
  return (
    <div>
      <Text>{t("uploads.textBooks", { count: books.length })}</Text>
      <Note dir="auto">{[...names, ...(books.length > MAX_NAMED ? ["…"] : [])].join(", ")}</Note>
    </div>
  );
}

interface ArchiveChoiceProps {
  /** The new ones that are to be stored. */
  books: readonly BookDrafts[];
  archives: boolean;
  change(archives: boolean): void;
}

/** What readers get by the import, said before it starts, and whether new books are archived. */
function ArchiveChoice({ books, archives, change }: ArchiveChoiceProps) {
  const { t } = useTexts("uploads");
  const id = useId();
  if (books.length === 0) return null;
  const readers = countForReaders(books);
  const becomePublic =
    readers.books > 0 && t("uploads.becomePublic", { count: readers.books, languages: readers.languages });
  return (
    <Stack gap="xs">
      <Text id={id}>{archives ? t("uploads.becomeArchived", { count: books.length }) : becomePublic}</Text>
      <Checkbox
        label={t("uploads.archiveNew")}
        aria-describedby={id}
        checked={archives}
        onChange={({ currentTarget: { checked } }) => change(checked)}
      />
    </Stack>
  );
}
