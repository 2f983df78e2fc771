/** A place for files and folders: dropped, or chosen by the keyboard. */
import { Box, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { useTexts } from "../messages/index.tsx";
import { type FoundFile, readChosenFiles } from "./dropped-files.ts";
import { uploadsMessages } from "./messages.ts";
import classes from "./uploads.module.css";
import { useFileDrop } from "./use-file-drop.ts";

interface DropAreaProps {
  title: string;
  hint?: ReactNode;
  add(files: FoundFile[]): void;
}

export function DropArea({ title, hint, add }: DropAreaProps) {
  const { t } = useTexts(uploadsMessages);
  const { isTarget, handlers } = useFileDrop(add);
  const folder = useRef<HTMLInputElement>(null);
  return (
    // By keyboard, the buttons do the same.
    <Box className={classes.area} data-target={isTarget || undefined} {...handlers}>
      <Stack align="center" gap="xs">
        <Text fw={600}>{title}</Text>
        {hint && (
          <Text size="sm" c="dimmed" ta="center">
            {hint}
          </Text>
        )}
        <Group justify="center">
          <FileButton multiple onChange={(files) => add(readChosenFiles(files))}>
            {(props) => (
              <Button variant="default" {...props}>
                {t.uploads.chooseFiles}
              </Button>
            )}
          </FileButton>
          <Button variant="default" onClick={() => folder.current?.click()}>
            {t.uploads.chooseFolder}
          </Button>
          <input
            ref={(input) => {
              if (input) input.webkitdirectory = true;
              folder.current = input;
            }}
            type="file"
            hidden
            onChange={({ currentTarget }) => {
              add(readChosenFiles(currentTarget.files ?? []));
              currentTarget.value = "";
            }}
          />
        </Group>
      </Stack>
    </Box>
  );
}
