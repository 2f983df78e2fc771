/** Files that are dropped anywhere on the page of a book are added to it; a place in its table takes its own. */
import { Box, Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { loadQueue } from "../uploads/load-queue.ts";
import { useFileDrop } from "../uploads/use-file-drop.ts";
import classes from "./book-drop.module.css";

/** The id of the section that shows them. */
const SECTION = "add-files";

export function BookDrop({ bookId, children }: { bookId: string; children: ReactNode }) {
  const { t } = useTexts("books");
  const { isTarget, handlers } = useFileDrop(async (found) => {
    const { addFiles } = await loadQueue();
    document.getElementById(SECTION)?.scrollIntoView({ block: "center" });
    await addFiles(found, bookId);
  });
  return (
    <Box className={classes.page} data-target={isTarget || undefined} {...handlers}>
      {children}
      {isTarget && (
        <Paper withBorder shadow="md" role="status" className={classes.hint}>
          {t("book.dropHint")}
        </Paper>
      )}
    </Box>
  );
}
