/** A part of the overview: its heading, the sentence that says what it shows, the picture, and the file with its rows. */
import { Button, Group, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { writeCsv } from "../lib/csv.ts";
import { saveFile } from "../lib/save-file.ts";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import { dimWhile, useOutdated } from "../ui/outdated.tsx";
import classes from "./overview.module.css";

interface PanelProps {
  title: string;
  /** What the picture shows, in words. */
  sentence: string;
  /** The name of the file and its rows, with their headings first. */
  csv?: { name: string; rows: readonly (readonly (string | number)[])[] };
  isWide?: boolean;
  children: ReactNode;
}

export function Panel({ title, sentence, csv, isWide = false, children }: PanelProps) {
  const { t } = useTexts("overview");
  const id = useId();
  const isOutdated = useOutdated();
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby={id}
      aria-busy={isOutdated}
      className={isWide ? `${classes.panel} ${classes.wide}` : classes.panel}
    >
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="start">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {csv && (
            <Button
              className={classes.noPrint}
              variant="default"
              size="compact-sm"
              aria-label={t("overview.csvOf", { title })}
              // Its name would be that of the range that is chosen now.
              disabled={isOutdated}
              onClick={() => saveFile(`${csv.name}.csv`, writeCsv(csv.rows))}
            >
              CSV
            </Button>
          )}
        </Group>
        <Note>{isOutdated ? t("reading") : sentence}</Note>
        <Stack gap="sm" {...dimWhile(isOutdated)}>
          {children}
        </Stack>
      </Stack>
    </Paper>
  );
}
