/** Makes an element a place on which files and folders can be dropped. */
import { notifications } from "@mantine/notifications";
import { type DragEvent, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { useNotifyFailure } from "../ui/problems.tsx";
import { type FoundFile, readDroppedFiles } from "./dropped-files.ts";

/** Only drags of files: others, for example of rows, are for somebody else. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** So many are named in a notice. */
const MAX_NAMED = 10;

/** What an element needs to take files. @returns whether something is held above it, and what adds files that were chosen */
export function useFileDrop(add: (files: FoundFile[]) => void | Promise<void>) {
  const { t } = useTexts();
  const notifyFailure = useNotifyFailure();
  const [isTarget, setIsTarget] = useState(false);
  const attempt = async (findFiles: () => FoundFile[] | Promise<FoundFile[]>) => {
    try {
      await add(await findFiles());
    } catch (error) {
      notifyFailure(t("drops.failed"), error);
    }
  };
  const readItems = async (items: DataTransferItemList) => {
    const { files, unreadable } = await readDroppedFiles(items);
    if (unreadable.length > 0)
      notifications.show({
        color: "red",
        title: t("drops.unreadable", { count: unreadable.length }),
        message: [...unreadable.slice(0, MAX_NAMED), ...(unreadable.length > MAX_NAMED ? ["…"] : [])].join(
          ", ",
        ),
        autoClose: false,
      });
    return files;
  };
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsTarget(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsTarget(false);
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      setIsTarget(false);
      // A place within took it.
      if (event.defaultPrevented) return;
      event.preventDefault();
      const { items } = event.dataTransfer;
      void attempt(() => readItems(items));
    },
  };
  const addFound = (files: FoundFile[]) => attempt(() => files);
  return { isTarget, handlers, addFound };
}
