/** What is dropped on it is taken to the page Import. */
import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { loadQueue } from "./load-queue.ts";
import classes from "./uploads.module.css";
import { useFileDrop } from "./use-file-drop.ts";

export function ImportTarget({ children }: { children: ReactNode }) {
  const go = useNavigate();
  const { isTarget, handlers } = useFileDrop(async (found) => {
    const { addFiles } = await loadQueue();
    go("/import");
    await addFiles(found);
  });
  return (
    <Box className={classes.target} data-target={isTarget || undefined} {...handlers}>
      {children}
    </Box>
  );
}
