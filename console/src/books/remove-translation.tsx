/** Removes the translation of a book into a language after a question. */
import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { removeTranslation, useBookChange } from "./queries.ts";

interface RemoveTranslationProps {
  bookId: string;
  translation: Schemas["Translation"];
  /** Called when it is removed. */
  closeForm(): void;
}

export function RemoveTranslationButton({ bookId, translation, closeForm }: RemoveTranslationProps) {
  const { t } = useTexts("books");
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useBookChange(async () => {
    await removeTranslation(bookId, translation);
    closeForm();
  });
  return (
    <Group>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
        {t("translation.remove")}
      </Button>
      <FormDialog title={t("translation.remove")} isOpen={isOpen} close={close}>
        <ConfirmForm
          hint={t("translation.removeHint")}
          action={t("remove")}
          run={() => remove.mutateAsync(undefined)}
          done={t("translation.removed")}
          close={close}
        />
      </FormDialog>
    </Group>
  );
}
