/** What is remarked on a file of the queue that was stored: where it is now, and the way back. */
import { Anchor, Box, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { bookQuery, useBookChange } from "../books/queries.ts";
import { RemarkLines } from "../books/use-remark-lines.tsx";
import { useTexts } from "../messages/index.tsx";
import { ActionButton } from "../ui/action-button.tsx";
import type { Place, QueueItem } from "./queue.ts";
import { takeBack } from "./take-back.ts";
import { runner } from "./upload-store.ts";

interface StoredRemarksProps {
  item: QueueItem;
  place: Place;
}

export function StoredRemarks({ item, place }: StoredRemarksProps) {
  const { t } = useTexts("uploads");
  const queries = useQueryClient();
  const { bookId } = place;
  const undo = useBookChange(async () => {
    const details = await queries.fetchQuery({ ...bookQuery(bookId), staleTime: 0 });
    await takeBack(details, place, item);
    runner.dispatch({ type: "undone", id: item.id });
  });
  return (
    <Stack gap={4} align="flex-start">
      <PlaceText place={place} isOwnPage={item.bookId !== undefined} />
      <Box>
        <RemarkLines bookId={bookId} remarks={item.remarks} />
      </Box>
      <ActionButton
        size="compact-sm"
        label={t("undo")}
        name={t("uploads.undoOf", { path: item.path })}
        run={() => undo.mutateAsync(undefined)}
      />
    </Stack>
  );
}

interface PlaceTextProps {
  place: Place;
  /** Whether the page is that of the book. */
  isOwnPage: boolean;
}

function PlaceText({ place: { bookId, languageCode, fileType }, isOwnPage }: PlaceTextProps) {
  const { t, nameLanguage } = useTexts("uploads");
  const { data } = useQuery({ ...bookQuery(bookId), enabled: !isOwnPage });
  const type = fileType === "" ? t("uploads.cover") : fileType.toUpperCase();
  const language = languageCode === "" ? [] : nameLanguage({ code: languageCode });
  return (
    <Text size="sm">
      {t("uploads.place")}{" "}
      {!isOwnPage && (
        <>
          <Anchor component={Link} to={`/books/${bookId}`} size="sm">
            <bdi>{data?.book.titleEn ?? bookId}</bdi>
          </Anchor>
          {" · "}
        </>
      )}
      {[language, type].flat().join(" · ")}
    </Text>
  );
}
