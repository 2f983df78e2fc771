/** A new book: its English title is all that it needs. */
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { flushSync } from "react-dom";
import { useNavigate } from "react-router";
import { AddButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { useShowProblem } from "../ui/problems.tsx";
import { createBook, useBookChange } from "./queries.ts";

export function AddBookButton() {
  const { t } = useTexts("books");
  return <AddButton label={t("books.add")}>{(close) => <AddBookForm close={close} />}</AddButton>;
}

function AddBookForm({ close }: { close(): void }) {
  const { t } = useTexts("books");
  const go = useNavigate();
  const form = useForm({ initialValues: { titleEn: "" } });
  const showProblem = useShowProblem(form);
  const create = useBookChange(createBook);
  const submit = form.onSubmit((values) =>
    create.mutate(values, {
      onSuccess({ id }) {
        // What was typed is saved: without this, leaving the form would be asked about.
        flushSync(close);
        go(`/books/${id}`);
      },
      onError: showProblem,
    }),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t("add")} isPending={create.isPending}>
      <TextInput
        label={t("books.englishTitle")}
        required
        maxLength={500}
        data-autofocus
        {...form.getInputProps("titleEn")}
      />
    </DialogForm>
  );
}
