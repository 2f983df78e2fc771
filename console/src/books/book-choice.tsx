/** A field that filters a list by a book, found by words of its title. */
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { bookQuery, findBooks } from "./queries.ts";

interface BookChoiceProps {
  /** The id of the book; empty: any. */
  value: string;
  change(bookId: string): void;
}

export function BookChoice({ value, change }: BookChoiceProps) {
  const { t } = useTexts("books");
  const canView = usePermission("view_books");
  const list = useId();
  const [typed, setTyped] = useState<string>();
  const [words] = useDebouncedValue(typed ?? "", 300);
  const { data: chosen } = useQuery({
    ...bookQuery(value),
    ...((value === "" || !canView) && { queryFn: skipToken }),
  });
  const { data: found } = useQuery(findBooks(words.trim()));
  if (!canView) return null;
  const books = found?.books ?? [];
  return (
    <>
      <TextInput
        label={t("words.book")}
        placeholder={t("books.anyBook")}
        list={list}
        dir="auto"
        autoComplete="off"
        value={typed ?? (value === "" ? "" : (chosen?.book.titleEn ?? ""))}
        onChange={({ currentTarget: { value: text } }) => {
          setTyped(text);
          const book = books.find(({ titleEn }) => titleEn === text);
          if (book) change(book.id);
          else if (text === "") change("");
        }}
        onBlur={() => setTyped(undefined)}
      />
      <datalist id={list}>
        {books.map(({ id, titleEn, slug }) => (
          <option key={id} value={titleEn} label={slug} />
        ))}
      </datalist>
    </>
  );
}
