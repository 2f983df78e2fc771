/** What was recognised, to be corrected before it is stored. */
import { Button, Checkbox, Group, NativeSelect, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { useSession } from "../session/session.ts";
import { Pages } from "../shell/pages.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { type BookDrafts, type CoverDraft, type Draft, findNewLanguages, groupByBook } from "./drafts.ts";
import { uploadsMessages } from "./messages.ts";
import type { Edit } from "./queue.ts";
import { runner, writeSteps } from "./upload-store.ts";
import classes from "./uploads.module.css";
import { writeDrafts } from "./write-drafts.ts";

const PAGE_SIZE = 25;

interface DraftTableProps {
  drafts: readonly Draft[];
  covers?: readonly CoverDraft[];
  /** Whether all of them are for one book of the service. */
  hasBook: boolean;
}

/** Stores drafts, until it is stopped. */
function useStoring() {
  const notifyProblem = useNotifyProblem();
  const [isStoring, setIsStoring] = useState(false);
  const isStopped = useRef(false);
  const store = async (groups: readonly BookDrafts[], newLanguages: readonly string[]) => {
    setIsStoring(true);
    isStopped.current = false;
    try {
      await writeDrafts(groups, newLanguages, writeSteps, runner, () => isStopped.current);
    } catch (error) {
      notifyProblem(error);
    }
    setIsStoring(false);
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { isStoring, store, stop };
}

export function DraftTable({ drafts, covers = [], hasBook }: DraftTableProps) {
  const { t, nameLanguage } = useTexts(uploadsMessages);
  const id = useId();
  const { data } = useQuery(languagesQuery);
  const [page, setPage] = useState(1);
  const { isStoring, store, stop } = useStoring();
  const known = new Set(data?.languages.map(({ code }) => code));
  const groups = groupByBook(drafts, covers);
  const fresh = groups.filter(({ book }) => book.bookId === undefined).length;
  const count = groups.reduce((sum, group) => sum + group.drafts.length, 0);
  const newLanguages = data ? findNewLanguages(drafts, known) : [];
  const pages = Math.max(Math.ceil(drafts.length / PAGE_SIZE), 1);
  const current = Math.min(page, pages);
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <div>
        <Title order={2} size="h3" id={id}>
          {t.uploads.drafts}
        </Title>
        <Text c="dimmed">{t.uploads.draftsHint}</Text>
      </div>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table verticalSpacing="xs">
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
            {drafts.slice((current - 1) * PAGE_SIZE, current * PAGE_SIZE).map((draft) => (
              <DraftRow
                key={draft.itemId}
                draft={draft}
                hasBook={hasBook}
                isDisabled={isStoring}
                languages={data?.languages ?? []}
                edit={(change) => runner.dispatch({ type: "edited", id: draft.itemId, edit: change })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Pages
        pagination={{ page: current, limit: PAGE_SIZE, total: drafts.length, totalPages: pages }}
        count={t.uploads.files(drafts.length)}
        change={({ page: next }) => setPage(Number(next) || 1)}
      />
      {newLanguages.length > 0 && (
        <Text>{t.uploads.newLanguages(newLanguages.map((code) => nameLanguage({ code })).join(", "))}</Text>
      )}
      <Group>
        <Button loading={isStoring} disabled={count === 0} onClick={() => store(groups, newLanguages)}>
          {t.uploads.store(count)}
        </Button>
        {isStoring && (
          <Button variant="default" onClick={stop}>
            {t.uploads.stop}
          </Button>
        )}
        {!hasBook && <Text c="dimmed">{t.uploads.books(groups.length, fresh)}</Text>}
      </Group>
    </Stack>
  );
}

interface DraftRowProps {
  draft: Draft;
  hasBook: boolean;
  isDisabled: boolean;
  languages: readonly Schemas["Language"][];
  edit(change: Edit): void;
}

function DraftRow({ draft, hasBook, isDisabled, languages, edit }: DraftRowProps) {
  const { t, nameLanguage } = useTexts(uploadsMessages);
  const { data: session } = useSession();
  const { path, languageCode, fileType, title, book, isIncluded, notes } = draft;
  const types = session && "limits" in session ? session.limits.fileTypes : [];
  const isNew = languageCode !== "" && languages.every(({ code }) => code !== languageCode);
  const codes = [
    ...(languageCode === "" ? [{ value: "", label: t.uploads.choose }] : []),
    ...(isNew
      ? [{ value: languageCode, label: t.uploads.newLanguage(nameLanguage({ code: languageCode })) }]
      : []),
    ...languages.map((each) => ({ value: each.code, label: nameLanguage(each) })),
  ];
  return (
    <Table.Tr className={classes.row} data-excluded={!isIncluded || undefined}>
      <Table.Td className={classes.path}>
        <Checkbox
          label={<bdi>{path}</bdi>}
          aria-label={t.uploads.include(path)}
          checked={isIncluded}
          disabled={isDisabled}
          onChange={({ currentTarget: { checked } }) => edit({ isIncluded: checked })}
        />
        {notes.map((note) => (
          <Text key={note} size="sm" dir="auto">
            {note}
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <NativeSelect
          aria-label={t.uploads.languageOf(path)}
          className={classes.input}
          value={languageCode}
          data={codes}
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => edit({ languageCode: value })}
        />
      </Table.Td>
      <Table.Td>
        <NativeSelect
          aria-label={t.uploads.typeOf(path)}
          className={classes.type}
          value={fileType}
          data={[...(fileType === "" ? [{ value: "", label: t.uploads.choose }] : []), ...types]}
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => edit({ fileType: value })}
        />
      </Table.Td>
      <Table.Td>
        <TextInput
          aria-label={t.uploads.titleOf(path)}
          className={classes.input}
          value={title}
          maxLength={500}
          dir="auto"
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => edit({ title: value })}
        />
      </Table.Td>
      {!hasBook && (
        <Table.Td>
          <TextInput
            aria-label={t.uploads.bookOf(path)}
            className={classes.input}
            value={book.titleEn}
            maxLength={500}
            dir="auto"
            disabled={isDisabled}
            onChange={({ currentTarget: { value } }) => edit({ bookTitle: value })}
          />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
