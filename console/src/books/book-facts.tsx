/** The fields of a book that don't depend on a language, for those who only look. */
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { Facts } from "../ui/facts.tsx";

export function BookFacts({ book }: { book: Schemas["Book"] }) {
  const { t, formatNumber, formatTime, language } = useTexts("books");
  const list = new Intl.ListFormat(language, { type: "unit" });
  const { name = "", position = null } = book.series ?? {};
  return (
    <Facts
      label={t("words.details")}
      facts={[
        { label: t("words.title"), value: book.titleEn },
        { label: t("description"), value: book.description },
        { label: t("people.authors.legend"), value: list.format(book.authors) },
        { label: t("book.tags"), value: list.format(book.tags) },
        { label: t("book.series"), value: name },
        { label: t("book.seriesPosition"), value: position !== null && formatNumber(position) },
        { label: t("bookDates.publishAt"), value: book.publishAt && formatTime(book.publishAt) },
        { label: t("bookDates.unpublishAt"), value: book.unpublishAt && formatTime(book.unpublishAt) },
        { label: t("book.slug"), value: <bdi dir="ltr">{book.slug}</bdi> },
      ]}
    />
  );
}
