/** Permanent deletion: what it deletes, and the title that has to be typed. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useList } from "../shell/list-links.tsx";
import { Loaded } from "../shell/loaded.tsx";
import { booksMessages } from "./messages.ts";
import { deleteBook, impactQuery } from "./queries.ts";

export default function DeleteBookButton({ details }: { details: Schemas["BookDetails"] }) {
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
  const { t, formatBytes } = useTexts(booksMessages);
  const { book } = details;
  const impact = useQuery(impactQuery(book.id));
  const go = useNavigate();
  const list = useList();
  const queries = useQueryClient();
  const remove = async () => {
    await deleteBook(book.id);
    // First away from the page of the book, which would be read again and not be found.
    await go(`/books${list ?? ""}`);
    void queries.invalidateQueries({ queryKey: ["books"] });
  };
  return (
    <ConfirmForm
      hint={
        <Loaded query={impact}>{(counts) => t.book.deleteHint(counts, formatBytes(counts.fileBytes))}</Loaded>
      }
      isReady={impact.isSuccess}
      action={t.book.delete}
      typed={{ label: t.book.deleteConfirm(book.titleEn), value: book.titleEn, dir: "auto" }}
      run={remove}
      done={t.book.deleted}
      close={close}
    />
  );
}
