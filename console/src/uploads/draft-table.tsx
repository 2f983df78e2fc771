/** What was recognised, to be corrected before it is stored; then what the run is doing. */
import { Button, Checkbox, Group, NativeSelect, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { CardTable } from "../shell/cards.tsx";
import { DimmedWhileOutdated, useOutdated } from "../shell/outdated.tsx";
import { Pages, useLocalPages } from "../shell/pages.tsx";
import { LoadFailure } from "../shell/problems.tsx";
import { ArchiveChoice } from "./archive-choice.tsx";
import { type ChoosableLanguage, DraftRow } from "./draft-row.tsx";
import {
  type CoverDraft,
  type Draft,
  findNewLanguages,
  groupByBook,
  type Plan,
  type PlannedBook,
  sortByPlan,
} from "./drafts.ts";
import { listNewBooks } from "./for-readers.ts";
import { uploadsMessages } from "./messages.ts";
import type { PlanRequest } from "./plan.ts";
import { startRun, stopRun, useRun } from "./run-store.ts";
import { runner } from "./upload-store.ts";

const PAGE_SIZE = 25;

interface Planned {
  plan: Plan;
  /** What it was made of. */
  request: PlanRequest;
  covers: readonly CoverDraft[];
  /** Books that get texts or covers, but no file. */
  textBooks: readonly PlannedBook[];
}

interface DraftTableProps {
  drafts: readonly Draft[];
  /** Undefined for files of one book of the service. */
  planned?: Planned;
}

export function DraftTable({ drafts, planned }: DraftTableProps) {
  const { t } = useTexts(uploadsMessages);
  const id = useId();
  const { data } = useQuery(languagesQuery);
  const { isRunning } = useRun();
  const [showsRemarked, setShowsRemarked] = useState(false);
  // Also those that were corrected: a row stays while one types in it.
  const remarked = drafts.filter(({ remarks }) => remarks.length > 0);
  const listed = showsRemarked && remarked.length > 0 ? remarked : drafts;
  const { shown, pagination, change } = useLocalPages(listed, PAGE_SIZE);
  const known = data?.languages ?? [];
  const codes = new Set(known.map(({ code }) => code));
  const languages = [
    ...known,
    ...(planned?.plan.languages ?? []).filter(({ code }) => !codes.has(code)).map(asNew),
  ];
  const hasBook = planned === undefined;
  const unknown = drafts.filter(({ languageCode }) => languageCode === "");
  return (
    <Stack component="section" aria-labelledby={drafts.length > 0 ? id : undefined} gap="sm">
      {drafts.length > 0 && (
        <>
          <div>
            <Title order={2} size="h3" id={id}>
              {t.uploads.drafts}
            </Title>
            <Text c="dimmed">{t.uploads.draftsHint}</Text>
          </div>
          {unknown.length > 1 && <LanguageOfAll unknown={unknown} languages={languages} />}
          {remarked.length > 0 && (
            <Checkbox
              label={t.uploads.differing(remarked.length)}
              checked={showsRemarked}
              onChange={({ currentTarget: { checked } }) => setShowsRemarked(checked)}
            />
          )}
          <DimmedWhileOutdated>
            <CardTable verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.uploads.file}</Table.Th>
                  <Table.Th>{t.uploads.language}</Table.Th>
                  <Table.Th>{t.uploads.type}</Table.Th>
                  <Table.Th>{t.uploads.titleField}</Table.Th>
                  {!hasBook && <Table.Th>{t.uploads.book}</Table.Th>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((draft) => (
                  <DraftRow
                    key={draft.itemId}
                    draft={draft}
                    hasBook={hasBook}
                    isDisabled={isRunning}
                    languages={languages}
                    edit={(edit) => runner.dispatch({ type: "edited", id: draft.itemId, edit })}
                  />
                ))}
              </Table.Tbody>
            </CardTable>
          </DimmedWhileOutdated>
          <Pages pagination={pagination} count={t.uploads.files(listed.length)} change={change} />
        </>
      )}
      <Storing drafts={drafts} planned={planned} codes={data && codes} />
    </Stack>
  );
}

const asNew = ({ code, name }: { code: string; name: string }): ChoosableLanguage => ({
  code,
  name,
  isNew: true,
});

interface LanguageOfAllProps {
  unknown: readonly Draft[];
  languages: readonly ChoosableLanguage[];
}

/** Hundreds of files without a language are corrected at once. */
function LanguageOfAll({ unknown, languages }: LanguageOfAllProps) {
  const { t, nameLanguage } = useTexts(uploadsMessages);
  return (
    <NativeSelect
      label={t.uploads.languageOfAll}
      maw={320}
      value=""
      data={[
        { value: "", label: t.uploads.choose },
        ...languages.map((each) => ({ value: each.code, label: nameLanguage(each) })),
      ]}
      onChange={({ currentTarget: { value: languageCode } }) => {
        for (const { itemId: id, languageCode: code } of unknown)
          if (code === "") runner.dispatch({ type: "edited", id, edit: { languageCode, isIncluded: true } });
      }}
    />
  );
}

interface StoringProps extends DraftTableProps {
  planned: Planned | undefined;
  /** Of the languages of the service, once they are known. */
  codes: ReadonlySet<string> | undefined;
}

/** What the button stores. */
function Storing({ drafts, planned, codes }: StoringProps) {
  const { t, nameLanguage } = useTexts(uploadsMessages);
  const [withTexts, setWithTexts] = useState(true);
  const run = useRun();
  const [archives, setArchives] = useState(run.archives);
  const isOutdated = useOutdated();
  const { plan, request, covers = [], textBooks = [] } = planned ?? {};
  const found = groupByBook(drafts, covers, withTexts ? textBooks : []);
  const groups = plan ? sortByPlan(found, plan) : found;
  const fresh = listNewBooks(groups, plan);
  const count = groups.reduce((sum, group) => sum + group.drafts.length, 0);
  const newLanguages = codes && groups.length > 0 ? findNewLanguages(plan, drafts, codes) : [];
  const open = new Set(drafts.map(({ path }) => path));
  const store = () => startRun({ groups, newLanguages, open, plan: request, archives });
  const isNothing = drafts.length === 0 && textBooks.length === 0;
  return (
    <>
      <TextBooks books={textBooks} isStored={withTexts} isDisabled={run.isRunning} change={setWithTexts} />
      {newLanguages.length > 0 && (
        <Text>{t.uploads.newLanguages(newLanguages.map((each) => nameLanguage(each)).join(", "))}</Text>
      )}
      <ArchiveChoice books={fresh} archives={archives} change={setArchives} />
      {!isNothing && (
        <Group>
          <Button
            loading={run.isRunning}
            disabled={groups.length === 0 || !codes || isOutdated}
            onClick={store}
          >
            {count === 0 && groups.length > 0 ? t.uploads.storeBooks(groups.length) : t.uploads.store(count)}
          </Button>
          {run.isRunning && (
            <Button variant="default" disabled={run.isStopping} onClick={stopRun}>
              {run.isStopping ? t.uploads.stopping : t.uploads.stop}
            </Button>
          )}
          {planned && groups.length > 0 && (
            <Text c="dimmed">{t.uploads.books(groups.length, fresh.length)}</Text>
          )}
        </Group>
      )}
      {run.error !== undefined && !isOutdated && <LoadFailure error={run.error} retry={store} />}
      <RunProgress hasEnded={groups.length === 0} />
    </>
  );
}

/** Of books that are stored without a file. */
const MAX_NAMED = 10;

interface TextBooksProps {
  books: readonly PlannedBook[];
  isStored: boolean;
  isDisabled: boolean;
  change(isStored: boolean): void;
}

/** Whether books get texts and covers that get no file. */
function TextBooks({ books, isStored, isDisabled, change }: TextBooksProps) {
  const { t } = useTexts(uploadsMessages);
  if (books.length === 0) return null;
  return (
    <Checkbox
      label={t.uploads.textBooks(books.length)}
      description={books
        .slice(0, MAX_NAMED)
        .map(({ titleEn }) => titleEn)
        .join(", ")}
      checked={isStored}
      disabled={isDisabled}
      onChange={({ currentTarget: { checked } }) => change(checked)}
    />
  );
}

/** How far the run is, and how it ended. */
function RunProgress({ hasEnded }: { hasEnded: boolean }) {
  const { t, formatNumber } = useTexts(uploadsMessages);
  const { isRunning, wasStopped, ended, done, of } = useRun();
  const end = wasStopped ? t.uploads.stopped : hasEnded && t.uploads.ended;
  return (
    <>
      {isRunning && <Progress value={(done / Math.max(of, 1)) * 100} aria-hidden />}
      <Text role="status">
        {isRunning ? t.uploads.running(formatNumber(done), formatNumber(of)) : ended > 0 && end}
      </Text>
    </>
  );
}
