/** A text that steps back behind those beside it. */
import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

interface NoteProps extends TextProps {
  id?: string;
  role?: "status";
  dir?: "auto";
  children: ReactNode;
}

export const Note = (props: NoteProps) => <Text size="sm" c="dimmed" {...props} />;
