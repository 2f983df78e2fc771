/** What a file or a cover says, and what its place is: a line for each remark. */
import { List } from "@mantine/core";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { bookQuery } from "./queries.ts";
import type { Remark } from "./sent-remarks.ts";

/** Further places of the same bytes say nothing more. */
const SHOWN_PLACES = 3;

/** The titles of books that remarks name, by their ids. */
type Titles = ReadonlyMap<string, string>;

function listTold(remarks: readonly Remark[]): Remark[] {
  const elsewhere = remarks.filter(({ code }) => code === "known_elsewhere").slice(SHOWN_PLACES);
  return remarks.filter((each) => !elsewhere.includes(each));
}

/** Those books that the lines name besides the one of the file. */
const listNamed = (bookId: string, remarks: readonly Remark[]): string[] => [
  ...new Set(
    listTold(remarks).flatMap(({ code, bookId: id = bookId, languageCode }) =>
      code === "known_elsewhere" && (id !== bookId || languageCode === "default") ? id : [],
    ),
  ),
];

/** A function that says a remark in a sentence; undefined if there is nothing to be read. */
function useDescribeRemark(bookId: string) {
  const { t, nameLanguage } = useTexts("remarks");
  const nameCode = (code: string | null | undefined) => (code ? isolate(nameLanguage({ code })) : "");

  function describePlace({ bookId: other = bookId, languageCode }: Remark, titles: Titles): string {
    const title = isolate(titles.get(other) ?? other);
    // A cover can be that of no language.
    if (languageCode === "default") return t("remarks.otherCover", { title });
    const place = nameCode(languageCode);
    return other === bookId ? t("remarks.sameBook", { place }) : t("remarks.otherBook", { title, place });
  }

  return (remark: Remark, titles: Titles): string | undefined => {
    const { code, found, expected } = remark;
    switch (code) {
      case "language_differs":
        return t("remarks.language", { found: nameCode(found), place: nameCode(expected) });
      case "title_differs":
        return t("remarks.title", { found: isolate(found ?? ""), place: isolate(expected ?? "") });
      case "isbn_differs":
        return expected === null
          ? t("remarks.isbnOfAnother", { found: isolate(found ?? "") })
          : t("remarks.isbn", { found: isolate(found ?? ""), place: isolate(expected) });
      case "known_elsewhere":
        return describePlace(remark, titles);
      case "metadata_unreadable":
        return t("remarks.unreadable");
      case "cover_missing":
        return t("remarks.coverMissing");
      case "metadata_pending":
        return undefined;
      default:
        return t("remarks.other", { code });
    }
  };
}

/** A function that waits for all that the lines name. */
export function useRemarkLines(bookId: string) {
  const describe = useDescribeRemark(bookId);
  const queries = useQueryClient();
  const findTitle = (id: string) =>
    queries.fetchQuery(bookQuery(id)).then(
      ({ book }) => book.titleEn,
      () => id,
    );
  /** @returns undefined without a remark that is to be read */
  return async (remarks: readonly Remark[]): Promise<ReactNode> => {
    const ids = listNamed(bookId, remarks);
    const titles = new Map(await Promise.all(ids.map(async (id) => [id, await findTitle(id)] as const)));
    const lines = listTold(remarks).flatMap((remark) => describe(remark, titles) ?? []);
    return lines.length > 0 ? <Lines lines={lines} /> : undefined;
  };
}

interface RemarkLinesProps {
  bookId: string;
  remarks: readonly Remark[];
}

/** The lines in their place; until the title of another book is known, its id is there. */
export function RemarkLines({ bookId, remarks }: RemarkLinesProps) {
  const describe = useDescribeRemark(bookId);
  const ids = listNamed(bookId, remarks);
  const found = useQueries({ queries: ids.map((id) => bookQuery(id)) });
  const titles = new Map(found.flatMap(({ data }) => (data ? [[data.book.id, data.book.titleEn]] : [])));
  return <Lines lines={listTold(remarks).flatMap((remark) => describe(remark, titles) ?? [])} />;
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <List size="sm">
    {lines.map((line) => (
      <List.Item key={line}>{line}</List.Item>
    ))}
  </List>
);
