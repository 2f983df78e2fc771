/** Removes the translation of a book into a language after a question. */
import { Group } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { removeTranslation, useBookChange } from "./queries.ts";

interface RemoveTranslationProps {
  bookId: string;
  translation: Schemas["Translation"];
  /** Called when it is removed. */
  closeForm(): void;
}

export function RemoveTranslationButton({ bookId, translation, closeForm }: RemoveTranslationProps) {
  const { t } = useTexts("books");
  const remove = useBookChange(async () => {
    await removeTranslation(bookId, translation);
    closeForm();
  });
  return (
    <Group>
      <ConfirmButton
        size="compact-sm"
        label={t("translation.remove")}
        hint={t("translation.removeHint")}
        action={t("remove")}
        run={() => remove.mutateAsync(undefined)}
        done={t("translation.removed")}
      />
    </Group>
  );
}
