/** What can be done with a language of a book and its files, as one menu of its row. */
import { ActionIcon, Menu } from "@mantine/core";
import { Suspense, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import type { Translate } from "../messages/texts.ts";
import { useFileChoice } from "../ui/file-button.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import type { FileFormProps } from "./file-forms.tsx";
import type { Upload } from "./language-files.tsx";
import type { LanguageOfBook } from "./language-rows.ts";

const FileForm = lazyPart(() => import("./file-forms.tsx"));

interface RowMenuProps {
  bookId: string;
  language: LanguageOfBook;
  /** Of the language. */
  name: string;
  send(upload: Upload): void;
  /** Opens the form of the language. */
  edit(): void;
}

/** The form of a file that is open. */
type OpenForm = Pick<FileFormProps, "kind" | "file">;

export function RowMenu({ bookId, language, name, send, edit }: RowMenuProps) {
  const { t } = useTexts("books");
  const showReaders = useShowReaders(language.code);
  const { element, choose } = useFileChoice();
  const [form, openForm] = useState<OpenForm>();
  const close = () => openForm(undefined);
  return (
    <>
      {element}
      {/* Within the table, which scrolls, it would be cut. */}
      <Menu position="bottom-end" portalProps={{ target: "#content" }} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t("rows.menu", { language: name })}>
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown maw="min(22rem, 90vw)" style={{ overflowWrap: "anywhere" }}>
          <Menu.Item onClick={edit}>{t("rows.edit", { language: name })}</Menu.Item>
          <Menu.Item onClick={() => choose(([file]) => file && send({ file }))}>
            {t("rows.addAny", { language: name })}
          </Menu.Item>
          <Menu.Item onClick={showReaders}>{t("readers.title")}</Menu.Item>
          {language.files.map((file) => (
            <FileItems
              key={file.id}
              file={file}
              openForm={openForm}
              replace={() => choose(([chosen]) => chosen && send({ file: chosen, replaced: file }))}
            />
          ))}
        </Menu.Dropdown>
      </Menu>
      <FormDialog title={form ? titleOf(form, t) : ""} isOpen={form !== undefined} close={close}>
        <Suspense fallback={<Loading />}>
          {form && <FileForm bookId={bookId} {...form} close={close} />}
        </Suspense>
      </FormDialog>
    </>
  );
}

const titleOf = ({ kind, file }: OpenForm, t: Translate<"books">): string =>
  t(kind === "link" ? "link.of" : "rows.remove", { name: file.fileName });

interface FileItemsProps {
  file: LanguageOfBook["files"][number];
  openForm(form: OpenForm): void;
  replace(): void;
}

function FileItems({ file, openForm, replace }: FileItemsProps) {
  const { t } = useTexts("books");
  return (
    <>
      <Menu.Divider />
      <Menu.Item onClick={replace}>{t("rows.replace", { name: file.fileName })}</Menu.Item>
      {file.cloudUrl !== null && (
        <Menu.Item onClick={() => openForm({ kind: "link", file })}>
          {t("link.of", { name: file.fileName })}
        </Menu.Item>
      )}
      <Menu.Item c="var(--mantine-color-error)" onClick={() => openForm({ kind: "remove", file })}>
        {t("rows.remove", { name: file.fileName })}
      </Menu.Item>
    </>
  );
}

/** To the section that says what readers of the language see, and why they don't. */
function useShowReaders(code: string): () => void {
  const go = useNavigate();
  const { state } = useLocation();
  return () => go({ search: `?readers=${code}`, hash: "#readers" }, { replace: true, state });
}
