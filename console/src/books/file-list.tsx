/** All files of a language, of any format, each with its buttons. */
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { FileButton } from "../ui/file-button.tsx";
import FileForm from "./file-forms.tsx";
import { FileText, type UploadOfLanguage, UploadProgress } from "./language-files.tsx";

interface FileListProps {
  bookId: string;
  files: readonly Schemas["BookFile"][];
  /** The name of the language. */
  language: string;
  upload: UploadOfLanguage;
}

export function FileList({ bookId, files, language, upload }: FileListProps) {
  const { t } = useTexts("books");
  const { send } = upload;
  return (
    <Stack gap="xs" align="start">
      {files.map((file) => (
        <FileLine
          key={file.id}
          bookId={bookId}
          file={file}
          replace={(chosen) => send({ file: chosen, replaced: file })}
        />
      ))}
      <UploadProgress sent={upload.sent} />
      <FileButton size="compact-sm" take={([file]) => file && send({ file })}>
        {t("rows.addAny", { language })}
      </FileButton>
    </Stack>
  );
}

interface FileLineProps {
  bookId: string;
  file: Schemas["BookFile"];
  replace(file: File): void;
}

const LOOK = { size: "compact-xs", variant: "subtle", px: 4 } as const;

function FileLine({ bookId, file, replace }: FileLineProps) {
  const { t } = useTexts("books");
  const [kind, open] = useState<"remove" | "link">();
  const close = () => open(undefined);
  const link = t("link.of", { name: file.fileName });
  const remove = t("rows.remove", { name: file.fileName });
  return (
    <div>
      <FileText file={file} />
      <Group gap={4}>
        <FileButton
          {...LOOK}
          take={([chosen]) => chosen && replace(chosen)}
          aria-label={t("rows.replace", { name: file.fileName })}
        >
          {t("rows.replaceShort")}
        </FileButton>
        {file.cloudUrl !== null && (
          <Button {...LOOK} aria-label={link} onClick={() => open("link")}>
            {t("link.field")}
          </Button>
        )}
        <Button {...LOOK} color="red" aria-label={remove} onClick={() => open("remove")}>
          {t("remove")}
        </Button>
      </Group>
      <FormDialog title={kind === "link" ? link : remove} isOpen={kind !== undefined} close={close}>
        {kind && <FileForm kind={kind} bookId={bookId} file={file} close={close} />}
      </FormDialog>
    </div>
  );
}
