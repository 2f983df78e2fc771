/** A place for files and folders: dropped, or chosen by the keyboard. */
import { Box, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../messages/index.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Note } from "../ui/note.tsx";
import { type FoundFile, readChosenFiles } from "./dropped-files.ts";
import classes from "./uploads.module.css";
import { useFileDrop } from "./use-file-drop.ts";

interface DropAreaProps {
  hint?: ReactNode;
  add(files: FoundFile[]): Promise<void>;
}

export function DropArea({ hint, add }: DropAreaProps) {
  const { t } = useTexts();
  const { isTarget, handlers, addFound } = useFileDrop(add);
  const take = (files: File[]) => void addFound(readChosenFiles(files));
  return (
    // By keyboard, the buttons do the same.
    <Box className={classes.area} data-target={isTarget || undefined} {...handlers}>
      <Stack align="center" gap="xs">
        <Text fw={600}>{t("drops.area")}</Text>
        {hint && <Note ta="center">{hint}</Note>}
        <Group justify="center">
          <FileButton multiple take={take}>
            {t("drops.chooseFiles")}
          </FileButton>
          <FileButton isFolder take={take}>
            {t("drops.chooseFolder")}
          </FileButton>
        </Group>
      </Stack>
    </Box>
  );
}
