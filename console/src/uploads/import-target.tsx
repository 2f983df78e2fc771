/** What is dropped on it is taken to the page Import. */
import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { loadInTime } from "../shell/lazy-page.tsx";
import classes from "./uploads.module.css";
import { useFileDrop } from "./use-file-drop.ts";

export function ImportTarget({ children }: { children: ReactNode }) {
  const go = useNavigate();
  const { isTarget, handlers } = useFileDrop(async (found) => {
    // The queue comes with the first drop.
    const { addFiles } = await loadInTime(() => import("./upload-store.ts"));
    go("/import");
    await addFiles(found);
  });
  return (
    <Box className={classes.target} data-target={isTarget || undefined} {...handlers}>
      {children}
    </Box>
  );
}
