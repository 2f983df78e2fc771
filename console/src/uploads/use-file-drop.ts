/** Makes an element a place on which files and folders can be dropped. */
import { type DragEvent, useState } from "react";
import { type FoundFile, readDroppedFiles } from "./dropped-files.ts";

/** Only drags of files: others, for example of rows, are for somebody else. */
export const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** What an element needs to take files. @returns whether something is held above it, and the handlers */
export function useFileDrop(add: (files: FoundFile[]) => void) {
  const [isTarget, setIsTarget] = useState(false);
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
      void readDroppedFiles(event.dataTransfer.items).then(add);
    },
  };
  return { isTarget, handlers };
}
