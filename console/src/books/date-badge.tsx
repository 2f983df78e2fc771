/** Says when readers get a book, unless they always do. */
import { Badge } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";

type Dates = Pick<Schemas["Book"], "publishAt" | "unpublishAt">;

/** The next date, or the end that has passed. */
export function DateBadge({ book: { publishAt, unpublishAt } }: { book: Dates }) {
  const { t, formatTime } = useTexts("books");
  const now = Date.now();
  const sayEnd = (end: string) => {
    const time = formatTime(end);
    return now < Date.parse(end) ? t("bookDates.until", { time }) : t("bookDates.over", { time });
  };
  const isBefore = publishAt && now < Date.parse(publishAt);
  const said = isBefore
    ? t("bookDates.from", { time: formatTime(publishAt) })
    : unpublishAt && sayEnd(unpublishAt);
  if (!said) return null;
  return (
    <Badge variant="default" size="sm" ms="xs" tt="none" miw="max-content">
      {said}
    </Badge>
  );
}
