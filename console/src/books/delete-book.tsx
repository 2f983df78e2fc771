/** Permanent deletion: what it deletes, and the title that has to be typed. */
import { Button, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { booksMessages } from "./messages.ts";
import { deleteBook } from "./queries.ts";

export function DeleteBookButton({ details }: { details: Schemas["BookDetails"] }) {
  const { t } = useTexts(booksMessages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button color="red" variant="outline" onClick={open}>
        {t.book.delete}
      </Button>
      <FormDialog title={t.book.delete} isOpen={isOpen} close={close}>
        <DeleteBookForm details={details} close={close} />
      </FormDialog>
    </>
  );
}

function DeleteBookForm({ details, close }: { details: Schemas["BookDetails"]; close(): void }) {
  const { t } = useTexts(booksMessages);
  const { book, translations, files } = details;
  const go = useNavigate();
  const notifyProblem = useNotifyProblem();
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: deleteBook,
    async onSuccess() {
      notifications.show({ message: t.book.deleted });
      // First away from the page of the book, which would be read again and not be found.
      await go("/books");
      return queries.invalidateQueries({ queryKey: ["books"] });
    },
    onError: notifyProblem,
  });
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate(book.id);
      }}
      close={close}
      action={t.book.delete}
      isPending={remove.isPending}
      isDangerous
      isDisabled={typed.trim() !== book.titleEn}
    >
      <Text>{t.book.deleteHint(translations.length, files.length)}</Text>
      <TextInput
        label={t.book.deleteConfirm(book.titleEn)}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        dir="auto"
        autoComplete="off"
      />
    </DialogForm>
  );
}
