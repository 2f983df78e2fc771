/** Removes a cover after a question: the service keeps no copy of it. */
import { Button, type ButtonProps } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { removeCover, useBookChange } from "./queries.ts";

interface RemoveCoverProps extends Pick<ButtonProps, "size"> {
  bookId: string;
  /** Of its language; `default` for the cover without a language. */
  code: string;
}

export function RemoveCoverButton({ bookId, code, ...look }: RemoveCoverProps) {
  const { t } = useTexts("books");
  const [isOpen, { open, close }] = useDisclosure(false);
  const remove = useBookChange(() => removeCover(bookId, code));
  return (
    <>
      <Button variant="subtle" color="red" onClick={open} {...look}>
        {t("cover.remove")}
      </Button>
      <FormDialog title={t("cover.remove")} isOpen={isOpen} close={close}>
        <ConfirmForm
          hint={t("cover.removeHint")}
          action={t("remove")}
          run={() => remove.mutateAsync(undefined)}
          done={t("cover.removed")}
          close={close}
        />
      </FormDialog>
    </>
  );
}
