/** A part of the report: its heading, and what it shows. */
import { Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";
import classes from "./report.module.css";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Stack component="section" gap="xs" aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h4" id={id} className={classes.heading}>
        {title}
      </Title>
      <DimmedWhileOutdated>{children}</DimmedWhileOutdated>
    </Stack>
  );
}
