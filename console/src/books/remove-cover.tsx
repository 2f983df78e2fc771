/** Removes a cover after a question: the service keeps no copy of it. */
import type { ButtonProps } from "@mantine/core";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { removeCover, useBookChange } from "./queries.ts";

interface RemoveCoverProps extends Pick<ButtonProps, "size"> {
  bookId: string;
  /** Of its language; `default` for the cover without a language. */
  code: string;
}

export function RemoveCoverButton({ bookId, code, ...look }: RemoveCoverProps) {
  const { t } = useTexts("books");
  const remove = useBookChange(() => removeCover(bookId, code));
  return (
    <ConfirmButton
      label={t("cover.remove")}
      hint={t("cover.removeHint")}
      action={t("remove")}
      run={() => remove.mutateAsync(undefined)}
      done={t("cover.removed")}
      {...look}
    />
  );
}
