/** Which books readers of a sub-language find: those of its parent, except what is decided otherwise here. */
import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { overrideBook, subLanguageBooksQuery, useLanguageChange } from "./queries.ts";

type Book = Schemas["SubLanguageBookOverride"];

/** More rows are found by the search. */
const SHOWN = 100;

export function SubLanguageBooks({ langId }: { langId: number }) {
  const { t } = useTexts("languages");
  const query = useQuery(subLanguageBooksQuery(langId));
  const [words, setWords] = useState("");
  const isFound = ({ titleEn }: Book) => titleEn.toLowerCase().includes(words.trim().toLowerCase());
  return (
    <Stack>
      <Text size="sm">{t("languages.booksHint")}</Text>
      <TextInput
        type="search"
        label={t("languages.findBook")}
        value={words}
        dir="auto"
        data-autofocus
        onChange={({ currentTarget: { value } }) => setWords(value)}
      />
      <Loaded query={query} empty={{ when: ({ books }) => books.length === 0, text: t("languages.noBooks") }}>
        {({ books }) => <FoundBooks langId={langId} books={books.filter(isFound)} />}
      </Loaded>
    </Stack>
  );
}

function FoundBooks({ langId, books }: { langId: number; books: readonly Book[] }) {
  const { t, formatNumber } = useTexts("languages");
  const text =
    books.length === 0
      ? t("languages.noBookFound")
      : books.length > SHOWN
        ? t("languages.moreBooks", { shown: formatNumber(SHOWN), found: formatNumber(books.length) })
        : "";
  return (
    <>
      <Text role="status" size="sm">
        {text}
      </Text>
      {books.length > 0 && (
        <DataTable
          rows={books.slice(0, SHOWN)}
          keyOf={({ bookId }) => bookId}
          columns={[
            { head: t("words.book"), cell: (book) => <NameCell book={book} /> },
            { head: t("languages.decision"), cell: (book) => <Decision langId={langId} book={book} /> },
          ]}
        />
      )}
    </>
  );
}

function NameCell({ book }: { book: Book }) {
  const { t } = useTexts("languages");
  return (
    <>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        <bdi>{book.titleEn}</bdi>
      </Text>
      <Note>{book.isVisible ? t("languages.found") : t("languages.notFound")}</Note>
    </>
  );
}

function Decision({ langId, book }: { langId: number; book: Book }) {
  const { t } = useTexts("languages");
  const notifyProblem = useNotifyProblem();
  const change = useLanguageChange((value: string) =>
    overrideBook(langId, book.bookId, value === "" ? null : value === "show"),
  );
  return (
    <NativeSelect
      miw="11rem"
      aria-label={t("languages.decisionOn", { title: book.titleEn })}
      value={book.override === null ? "" : book.override ? "show" : "hide"}
      disabled={change.isPending}
      data={[
        { value: "", label: t("languages.asParent") },
        { value: "show", label: t("languages.show") },
        { value: "hide", label: t("languages.hide") },
      ]}
      onChange={({ currentTarget }) => change.mutate(currentTarget.value, { onError: notifyProblem })}
    />
  );
}
