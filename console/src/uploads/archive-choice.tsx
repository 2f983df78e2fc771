/** What readers get by the import, said before it starts, and whether new books are archived. */
import { Checkbox, Stack, Text } from "@mantine/core";
import { useId } from "react";
import { useTexts } from "../messages/index.tsx";
import type { BookDrafts } from "./drafts.ts";
import { countForReaders } from "./for-readers.ts";

interface ArchiveChoiceProps {
  /** The new ones that are to be stored. */
  books: readonly BookDrafts[];
  archives: boolean;
  change(archives: boolean): void;
}

export function ArchiveChoice({ books, archives, change }: ArchiveChoiceProps) {
  const { t } = useTexts("uploads");
  const id = useId();
  if (books.length === 0) return null;
  const readers = countForReaders(books);
  const becomePublic =
    readers.books > 0 && t("uploads.becomePublic", { count: readers.books, languages: readers.languages });
  return (
    <Stack gap="xs">
      <Text id={id}>{archives ? t("uploads.becomeArchived", { count: books.length }) : becomePublic}</Text>
      <Checkbox
        label={t("uploads.archiveNew")}
        aria-describedby={id}
        checked={archives}
        onChange={({ currentTarget: { checked } }) => change(checked)}
      />
    </Stack>
  );
}
