/** The default cover of a book, and the way to another one. */
import { Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { warnWhilePending } from "../shell/close-warning.ts";
import { FileButton } from "../shell/file-button.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { COVER_TYPES, Cover } from "./cover.tsx";
import { booksMessages } from "./messages.ts";
import { sendCover, useBookChange } from "./queries.ts";
import { RemoveCoverButton } from "./remove-cover.tsx";

interface CoverSectionProps {
  details: Schemas["BookDetails"];
  canEdit: boolean;
}

export function CoverSection({ details: { book, covers }, canEdit }: CoverSectionProps) {
  const { t } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const replace = useBookChange((file: File) => sendCover(book.id, "default", file));
  // Also once the page was left.
  const take = (file: File | undefined) =>
    file &&
    warnWhilePending(replace.mutateAsync(file)).then(
      () => notifications.show({ message: t.saved }),
      notifyProblem,
    );
  return (
    <Stack w={160} gap="xs">
      <Cover
        book={book}
        width={160}
        alt={t.book.coverOf(book.titleEn)}
        version={`${book.updatedAt}-${replace.submittedAt}`}
      />
      {canEdit && (
        <>
          <FileButton take={([file]) => take(file)} accept={COVER_TYPES} loading={replace.isPending}>
            {t.cover.choose}
          </FileButton>
          {covers.some(({ languageId }) => languageId === null) && (
            <RemoveCoverButton bookId={book.id} code="default" size="compact-sm" />
          )}
          <Text size="sm" c="dimmed">
            {t.cover.hint}
          </Text>
        </>
      )}
    </Stack>
  );
}
