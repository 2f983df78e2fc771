/** Permanent deletion: what it deletes, and the title that has to be typed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Schemas } from "../api/client.ts";
import { ConfirmForm } from "../forms/confirm-form.tsx";
import { DialogButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { useList } from "../ui/list-links.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { deleteBook, impactQuery } from "./queries.ts";

export default function DeleteBookButton({ details }: { details: Schemas["BookDetails"] }) {
  const { t } = useTexts("books");
  return (
    <DialogButton color="red" variant="outline" label={t("book.delete")}>
      {(close) => <DeleteBookForm details={details} close={close} />}
    </DialogButton>
  );
}

function DeleteBookForm({ details, close }: { details: Schemas["BookDetails"]; close(): void }) {
  const { t } = useTexts("books");
  const describe = useDescribeDeletion();
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
      hint={<Loaded query={impact}>{describe}</Loaded>}
      isReady={impact.isSuccess}
      action={t("book.delete")}
      typed={{ label: t("book.deleteConfirm", { title: book.titleEn }), value: book.titleEn, dir: "auto" }}
      run={remove}
      done={t("book.deleted")}
      close={close}
    />
  );
}

/** A function that says what is deleted with a book. */
function useDescribeDeletion() {
  const { t, formatBytes, formatList } = useTexts("books");
  return (impact: Schemas["DeletionImpact"]["impact"]): string => {
    const { files, downloadEvents } = impact;
    const others = (["covers", "publications", "visibilityOverrides"] as const).map(
      (name) => impact[name] > 0 && t(`book.deletes.${name}`, { count: impact[name] }),
    );
    const parts = [
      t("book.deletes.book"),
      impact.translations > 0 && t("book.deletes.translations", { count: impact.translations }),
      files > 0 && t("book.deletes.files", { count: files, size: formatBytes(impact.fileBytes) }),
      ...others,
    ];
    return t("book.deleteHint", {
      parts: formatList(parts.filter((part) => part !== false)),
      downloads: downloadEvents,
    });
  };
}
