/** The pages without a session: one card in the middle. */
import { Center, Paper, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../messages/index.tsx";

export function SessionCard({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${t("appName")}`;
  }, [title, t]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack>
          <Title order={1} size="h2" style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
