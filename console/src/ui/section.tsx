/** A part of a page under its heading. */
import { Group, Stack, type StackProps, Text, Title } from "@mantine/core";
import type { ReactNode, Ref } from "react";

interface SectionProps extends Omit<StackProps, "title" | "id"> {
  title: ReactNode;
  /** Of the heading, by which the part is named then. */
  id?: string;
  ref?: Ref<HTMLDivElement>;
  /** Under the heading. */
  hint?: string | undefined;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, id, hint, actions, children, ...look }: SectionProps) {
  const heading = (
    <Title order={2} size="h3" id={id}>
      {title}
    </Title>
  );
  const head =
    hint === undefined ? (
      heading
    ) : (
      <div>
        {heading}
        <Text c="dimmed">{hint}</Text>
      </div>
    );
  return (
    <Stack component="section" aria-labelledby={id} {...look}>
      {actions ? (
        <Group justify="space-between">
          {head}
          {actions}
        </Group>
      ) : (
        head
      )}
      {children}
    </Stack>
  );
}
