/** What an import has done, read when somebody asks for it: it can have megabytes. */
import { Button, List, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client.ts";
import { RemarkLines } from "../books/use-remark-lines.tsx";
import { useTexts } from "../messages/index.tsx";
import { RecordLink } from "../ui/list-links.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { useDescribeBookError, useDescribeLeftOut } from "../uploads/describe-left-out.ts";
import { importQuery, type ListedImport } from "./queries.ts";

/** The others are in the CSV. */
const SHOWN = 50;

interface ImportResultProps {
  entry: ListedImport;
  /** By which buttons of several imports differ. */
  name: string;
  /** Whether it is shown at once. */
  isOpened: boolean;
}

export function ImportResult({ entry, name, isOpened }: ImportResultProps) {
  const { t } = useTexts("uploads");
  const [isOpen, { toggle }] = useDisclosure(isOpened);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        w="fit-content"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={t("imports.resultOf", { name })}
      >
        {t("words.result")}
      </Button>
      {isOpen && <ReadResult entry={entry} />}
    </>
  );
}

function ReadResult({ entry }: { entry: ListedImport }) {
  const query = useQuery(importQuery(entry));
  return <Loaded query={query}>{({ result }) => <Result result={result} />}</Loaded>;
}

type FullResult = Schemas["ImportResult"];

const NOTHING: FullResult = { books: [], leftOut: [], failed: [] };

function Result({ result }: { result: FullResult | null }) {
  const { t } = useTexts("uploads");
  const describe = useDescribeLeftOut();
  const describeError = useDescribeBookError();
  const { books, leftOut, failed } = result ?? NOTHING;
  const count = (status: string) => books.filter((book) => book.status === status).length;
  const known = books.flatMap(({ files }) => files).filter(({ status }) => status === "known").length;
  const out = leftOut.length + known;
  const remarked = books.flatMap((book) =>
    book.files.filter(({ remarks }) => remarks.length > 0).map((file) => ({ ...file, bookId: book.bookId })),
  );
  return (
    <Stack gap="xs">
      <Text>
        {t("imports.counts", { made: count("create"), changed: count("update"), same: count("unchanged") })}
      </Text>
      {count("unsure") > 0 && <Text>{t("imports.unsure", { count: count("unsure") })}</Text>}
      <Entries title={t("imports.failed", { count: failed.length })} entries={failed}>
        {(entry) => {
          const { place, sentence } = describeError(entry);
          return (
            <>
              <bdi>{place || entry.slug}</bdi>
              <Reason>{sentence}</Reason>
            </>
          );
        }}
      </Entries>
      <Entries title={t("imports.remarked", { count: remarked.length })} entries={remarked}>
        {({ path, bookId, remarks }) => (
          <>
            {bookId ? <RecordLink to={`/books/${bookId}`}>{path}</RecordLink> : <bdi>{path}</bdi>}
            <RemarkLines bookId={bookId ?? ""} remarks={remarks} />
          </>
        )}
      </Entries>
      {out > 0 && leftOut.length === 0 && <Text>{t("imports.leftOut", { count: out })}</Text>}
      <Entries title={t("imports.leftOut", { count: out })} entries={leftOut}>
        {(entry) => (
          <>
            <bdi>{entry.path}</bdi>
            <Reason>{describe(entry)}</Reason>
          </>
        )}
      </Entries>
    </Stack>
  );
}

/** In a line of its own: it can be in another language than the page. */
const Reason = ({ children }: { children: string }) => <Note dir="auto">{children}</Note>;

interface EntriesProps<T> {
  title: string;
  entries: readonly T[];
  children(entry: T): ReactNode;
}

function Entries<T>({ title, entries, children }: EntriesProps<T>) {
  const { t } = useTexts("uploads");
  const more = entries.length - SHOWN;
  if (entries.length === 0) return null;
  return (
    <div>
      <Text>{title}</Text>
      <List size="sm">
        {entries.slice(0, SHOWN).map((entry) => (
          <List.Item key={JSON.stringify(entry)}>{children(entry)}</List.Item>
        ))}
      </List>
      {more > 0 && <Text size="sm">{t("imports.more", { count: more })}</Text>}
    </div>
  );
}
