/** The default cover of a book, and the way to another one. */
import { Button, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import type { Schemas } from "../api/client.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Note } from "../ui/note.tsx";
import { COVER_TYPES, Cover } from "./cover.tsx";
import { listFormer } from "./former-contents.ts";
import { RemoveCoverButton } from "./remove-cover.tsx";
import { useCoverUpload } from "./use-cover-upload.ts";

const FormerList = lazyPart(() => import("./former-list.tsx"));

/** The place of the cover without a language. */
const DEFAULT_COVER = "default";

interface CoverSectionProps {
  details: Schemas["BookDetails"];
  canEdit: boolean;
}

export function CoverSection({ details, canEdit }: CoverSectionProps) {
  const { book, covers } = details;
  const { t } = useTexts("books");
  const upload = useCoverUpload(book.id, DEFAULT_COVER);
  return (
    <Stack w={160} gap="xs">
      <Cover
        book={book}
        width={160}
        alt={t("book.coverOf", { title: book.titleEn })}
        version={`${book.updatedAt}-${upload.submittedAt}`}
      />
      {canEdit && (
        <>
          <FileButton take={upload.take} accept={COVER_TYPES} loading={upload.isPending}>
            {t("cover.choose")}
          </FileButton>
          {covers.some(({ languageId }) => languageId === null) && (
            <RemoveCoverButton bookId={book.id} code={DEFAULT_COVER} size="compact-sm" />
          )}
          <FormerCovers details={details} />
          <Note>{t("cover.hint")}</Note>
        </>
      )}
    </Stack>
  );
}

function FormerCovers({ details }: Pick<CoverSectionProps, "details">) {
  const { t } = useTexts("books");
  const [isOpen, { open, close }] = useDisclosure(false);
  if (!isOpen && listFormer(details, DEFAULT_COVER).length === 0) return null;
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={open}>
        {t("former.title")}
      </Button>
      <FormDialog title={t("former.title")} isOpen={isOpen} close={close}>
        <Suspense fallback={<Loading />}>
          <FormerList details={details} code={DEFAULT_COVER} />
        </Suspense>
      </FormDialog>
    </>
  );
}
