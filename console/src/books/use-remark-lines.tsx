/** What a file or a cover says, and what its place is: a line for each remark. */
import { List } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { bookQuery } from "./queries.ts";
import { remarkMessages } from "./remark-messages.ts";
import type { Remark } from "./sent-remarks.ts";

/** Further places of the same bytes say nothing more. */
const SHOWN_PLACES = 3;

export function useRemarkLines(bookId: string) {
  const { t, nameLanguage } = useTexts(remarkMessages);
  const queries = useQueryClient();
  const nameCode = (code: string | null | undefined) => (code ? isolate(nameLanguage({ code })) : "");
  const findTitle = (id: string) =>
    queries.fetchQuery(bookQuery(id)).then(
      ({ book }) => book.titleEn,
      () => id,
    );

  async function describePlace({ bookId: other = bookId, languageCode }: Remark): Promise<string> {
    // A cover can be that of no language.
    if (languageCode === "default") return t.remarks.otherCover(isolate(await findTitle(other)));
    const place = nameCode(languageCode);
    return other === bookId
      ? t.remarks.sameBook(place)
      : t.remarks.otherBook(isolate(await findTitle(other)), place);
  }

  async function describe(remark: Remark): Promise<string | undefined> {
    const { code, found, expected } = remark;
    switch (code) {
      case "language_differs":
        return t.remarks.language(nameCode(found), nameCode(expected));
      case "title_differs":
        return t.remarks.title(isolate(found ?? ""), isolate(expected ?? ""));
      case "isbn_differs":
        return expected === null
          ? t.remarks.isbnOfAnother(isolate(found ?? ""))
          : t.remarks.isbn(isolate(found ?? ""), isolate(expected));
      case "known_elsewhere":
        return describePlace(remark);
      case "metadata_unreadable":
        return t.remarks.unreadable;
      case "cover_missing":
        return t.remarks.coverMissing;
      case "metadata_pending":
        return undefined;
      default:
        return t.remarks.other(code);
    }
  }

  /** @returns undefined without a remark that is to be read */
  return async (remarks: readonly Remark[]): Promise<ReactNode> => {
    const elsewhere = remarks.filter(({ code }) => code === "known_elsewhere").slice(SHOWN_PLACES);
    const told = await Promise.all(remarks.filter((each) => !elsewhere.includes(each)).map(describe));
    const lines = told.filter((line) => line !== undefined);
    if (lines.length === 0) return undefined;
    return (
      <List size="sm">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    );
  };
}
