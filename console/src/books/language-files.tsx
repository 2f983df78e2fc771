/** The files of a book in a language, one place for each format: a file can be dropped there. */
import { Progress, Table, Text } from "@mantine/core";
import { type DragEvent, type ReactNode, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { warnWhilePending } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { useNotifyFailure } from "../ui/problems.tsx";
import { hasFiles } from "../uploads/use-file-drop.ts";
import classes from "./book-languages.module.css";
import { replaceFile, sendFile, useBookChange } from "./queries.ts";
import { keepSending, type SentFile, useSentFiles } from "./sent-files.ts";
import { useReplacementNotice } from "./use-replacement-notice.tsx";

type BookFile = Schemas["BookFile"];

/** What is sent: to a format, or in place of a file. */
export interface Upload {
  file: File;
  fileType?: string | undefined;
  replaced?: BookFile | undefined;
}

export function useUpload(bookId: string, languageCode: string) {
  const { t } = useTexts("books");
  const notifyFailure = useNotifyFailure();
  const beginNotice = useReplacementNotice(bookId, languageCode);
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
    const say = beginNotice();
    try {
      const body = await warnWhilePending(add.mutateAsync(upload));
      await say(
        replaced ? t("rows.replaced", { name: replaced.fileName }) : t("rows.added", { name: file.name }),
        body,
      );
    } catch (error) {
      notifyFailure(t("rows.failed", { name: file.name }), error);
    }
  };
  return { sent, send };
}

export type UploadOfLanguage = ReturnType<typeof useUpload>;

export function UploadProgress({ sent }: { sent: readonly SentFile[] }) {
  const { t } = useTexts("books");
  return sent.map(({ id, name, percent }) => (
    <div key={id} role="status">
      <Text size="sm">{t("rows.sending", { name, share: percent / 100 })}</Text>
      <Progress value={percent} aria-hidden />
    </div>
  ));
}

interface CellProps {
  fileType: string;
  files: BookFile[];
  /** Undefined for those who only look. */
  send: ((upload: Upload) => void) | undefined;
}

/** The files of a format. A file that is dropped there replaces the only one. */
export function FileCell({ fileType, files, send }: CellProps) {
  const [only, another] = files;
  const take = (file: File) => send?.({ file, fileType, replaced: another === undefined ? only : undefined });
  return (
    <DropCell label={fileType.toUpperCase()} take={send && take}>
      {files.length === 0 ? (
        <Text c="dimmed">–</Text>
      ) : (
        files.map((file) => <FileText key={file.id} file={file} />)
      )}
    </DropCell>
  );
}

export function FileText({ file }: { file: BookFile }) {
  const { formatBytes } = useTexts();
  return (
    <Text size="sm" className={classes.file}>
      <bdi>{file.fileName}</bdi>{" "}
      <Text span size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
        {formatBytes(file.fileSizeBytes)}
      </Text>
    </Text>
  );
}

interface DropCellProps {
  /** The heading of its column. */
  label?: string;
  className?: string | undefined;
  /** Undefined: nothing can be dropped. */
  take: ((file: File) => void) | undefined;
  children: ReactNode;
}

/** A cell of the table that takes a file. */
export function DropCell({ label, className = classes.place, take, children }: DropCellProps) {
  const [isTarget, setIsTarget] = useState(false);
  const drop = (event: DragEvent) => {
    setIsTarget(false);
    const [file, another] = event.dataTransfer.files;
    const [item] = event.dataTransfer.items;
    // Several files, and folders, are for the page around it, where each can be corrected.
    if (!file || another || item?.webkitGetAsEntry()?.isDirectory) return;
    event.preventDefault();
    take?.(file);
  };
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsTarget(true);
    },
    onDragLeave: () => setIsTarget(false),
    onDrop: drop,
  };
  return (
    <Table.Td
      data-label={label}
      className={className}
      data-target={isTarget || undefined}
      {...(take && handlers)}
    >
      {children}
    </Table.Td>
  );
}
