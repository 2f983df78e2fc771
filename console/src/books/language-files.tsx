/** The files of a book in a language, one place for each format: a file can be dropped there, or chosen. */
import { Button, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { type DragEvent, type ReactNode, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { warnWhilePending } from "../shell/close-warning.ts";
import { ConfirmForm } from "../shell/confirm-form.tsx";
import { FileButton } from "../shell/file-button.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyFailure } from "../shell/problems.tsx";
import { hasFiles } from "../uploads/use-file-drop.ts";
import classes from "./book-languages.module.css";
import { CloudLinkButton } from "./cloud-link.tsx";
import { languageMessages } from "./language-messages.ts";
import { removeFile, replaceFile, sendFile, useBookChange } from "./queries.ts";
import { keepSending, type SentFile, useSentFiles } from "./sent-files.ts";

type BookFile = Schemas["BookFile"];

/** What is sent: to a format, or in place of a file. */
interface Upload {
  file: File;
  fileType?: string | undefined;
  replaced?: BookFile | undefined;
}

export function useUpload(bookId: string, languageCode: string) {
  const { t } = useTexts(languageMessages);
  const notifyFailure = useNotifyFailure();
  const sent = useSentFiles({ bookId, languageCode });
  const add = useBookChange(({ file, fileType, replaced }: Upload) =>
    keepSending({ bookId, languageCode, name: file.name }, (report) =>
      replaced
        ? replaceFile(bookId, replaced, file, report)
        : sendFile({ bookId, languageCode, fileType, file }, report),
    ),
  );
  // Each call is awaited: callbacks of a call aren't called after another one, or once the page was left.
  const send = async (upload: Upload) => {
    const { file, replaced } = upload;
    try {
      await warnWhilePending(add.mutateAsync(upload));
      notifications.show({
        message: replaced ? t.rows.replaced(replaced.fileName) : t.rows.added(file.name),
      });
    } catch (error) {
      notifyFailure(t.rows.failed(file.name), error);
    }
  };
  return { sent, send };
}

export type UploadOfLanguage = ReturnType<typeof useUpload>;

export function UploadProgress({ sent }: { sent: readonly SentFile[] }) {
  const { t } = useTexts(languageMessages);
  return sent.map(({ id, name, percent }) => (
    <div key={id} role="status">
      <Text size="sm">{t.rows.sending(name, percent)}</Text>
      <Progress value={percent} aria-hidden />
    </div>
  ));
}

interface FileListProps {
  bookId: string;
  files: readonly BookFile[];
  /** The name of the language. */
  language: string;
  upload: UploadOfLanguage;
}

/** All files of a language, of any format. */
export function FileList({ bookId, files, language, upload }: FileListProps) {
  const { t } = useTexts(languageMessages);
  const { send } = upload;
  return (
    <Stack gap="xs" align="start">
      {files.map((file) => (
        <FileLine key={file.id} bookId={bookId} file={file} canEdit send={send} />
      ))}
      <UploadProgress sent={upload.sent} />
      <FileButton size="compact-sm" take={([file]) => file && send({ file })}>
        {t.rows.addAny(language)}
      </FileButton>
    </Stack>
  );
}

interface PlaceProps {
  /** Undefined: any other format. */
  fileType: string | undefined;
  files: BookFile[];
  bookId: string;
  /** The name of the language. */
  language: string;
  canEdit: boolean;
  send(upload: Upload): void;
}

/** A cell: the files of a format, or a hole that takes one. */
export function FilePlace({ fileType, files, bookId, language, canEdit, send }: PlaceProps) {
  const { t } = useTexts(languageMessages);
  const [only, another] = files;
  const take = (file: File | undefined) =>
    file && send({ file, fileType, replaced: another === undefined ? only : undefined });
  const addName = fileType ? t.rows.add(fileType.toUpperCase(), language) : t.rows.addAny(language);
  return (
    <DropTarget take={canEdit ? take : undefined}>
      <Stack gap="xs" align="start">
        {files.map((file) => (
          <FileLine key={file.id} bookId={bookId} file={file} canEdit={canEdit} send={send} />
        ))}
        {files.length === 0 && canEdit && (
          <FileButton
            take={([file]) => take(file)}
            size="compact-sm"
            variant="subtle"
            px={4}
            aria-label={addName}
          >
            + {t.rows.addShort}
          </FileButton>
        )}
        {files.length === 0 && !canEdit && fileType && <Text c="dimmed">–</Text>}
      </Stack>
    </DropTarget>
  );
}

/** @param take undefined: nothing can be dropped */
function DropTarget({ take, children }: { take: ((file: File) => void) | undefined; children: ReactNode }) {
  const [isTarget, setIsTarget] = useState(false);
  if (!take) return <Table.Td>{children}</Table.Td>;
  const drop = (event: DragEvent) => {
    setIsTarget(false);
    const [file, another] = event.dataTransfer.files;
    const [item] = event.dataTransfer.items;
    // Several files, and folders, are for the page around it, where each can be corrected.
    if (!file || another || item?.webkitGetAsEntry()?.isDirectory) return;
    event.preventDefault();
    take(file);
  };
  return (
    <Table.Td
      className={classes.place}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsTarget(true);
      }}
      onDragLeave={() => setIsTarget(false)}
      onDrop={drop}
    >
      {children}
    </Table.Td>
  );
}

interface FileLineProps {
  bookId: string;
  file: BookFile;
  canEdit: boolean;
  send(upload: Upload): void;
}

function FileLine({ bookId, file, canEdit, send }: FileLineProps) {
  const { t, formatBytes } = useTexts(languageMessages);
  const [isRemoving, removing] = useDisclosure(false);
  return (
    <div>
      <Text size="sm" className={classes.file}>
        <bdi>{file.fileName}</bdi>{" "}
        <Text span size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          {formatBytes(file.fileSizeBytes)}
        </Text>
      </Text>
      {canEdit && (
        <Group gap={4}>
          <FileButton
            take={([chosen]) => chosen && send({ file: chosen, replaced: file })}
            size="compact-xs"
            variant="subtle"
            px={4}
            aria-label={t.rows.replace(file.fileName)}
          >
            {t.rows.replaceShort}
          </FileButton>
          {file.cloudUrl !== null && <CloudLinkButton bookId={bookId} file={file} cloudUrl={file.cloudUrl} />}
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            px={4}
            aria-label={t.rows.remove(file.fileName)}
            onClick={removing.open}
          >
            {t.remove}
          </Button>
          <FormDialog title={t.rows.remove(file.fileName)} isOpen={isRemoving} close={removing.close}>
            <RemoveForm bookId={bookId} file={file} close={removing.close} />
          </FormDialog>
        </Group>
      )}
    </div>
  );
}

function RemoveForm({ bookId, file, close }: { bookId: string; file: BookFile; close(): void }) {
  const { t } = useTexts(languageMessages);
  const remove = useBookChange(() => removeFile(bookId, file.id));
  return (
    <ConfirmForm
      hint={t.rows.removeHint}
      action={t.remove}
      run={() => remove.mutateAsync(undefined)}
      done={t.rows.removed}
      close={close}
    />
  );
}
