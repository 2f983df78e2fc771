/** A page: its heading, and the title of the window. */
import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../messages/index.tsx";

export interface PageProps {
  title: string;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, actions, children }: PageProps) {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${t("appName")}`;
  }, [title, t]);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2" tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
          <bdi>{title}</bdi>
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
