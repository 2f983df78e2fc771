/** The frame of every page: its heading, the title of the window, and a sentence for those who may not see it. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";

interface PageProps {
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

/** A page that needs a permission. */
export function PermittedPage({ permission, ...page }: PageProps & { permission: Schemas["Permission"] }) {
  const { t } = useTexts();
  const isPermitted = usePermission(permission);
  if (isPermitted) return <Page {...page} />;
  return (
    <Page title={page.title}>
      <Text>{t("forbidden.text")}</Text>
    </Page>
  );
}
