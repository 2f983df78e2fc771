/** For addresses below `/console/` that no page has. */
import { Anchor, Center, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { Link } from "react-router";
import { useTexts } from "../messages/index.tsx";

export function NotFoundPage() {
  const { t } = useTexts();
  useEffect(() => {
    document.title = `${t("notFound.title")} · ${t("appName")}`;
  }, [t]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          {t("notFound.title")}
        </Title>
        <Text>{t("notFound.text")}</Text>
        <Anchor component={Link} to="/books">
          {t("notFound.toBooks")}
        </Anchor>
      </Stack>
    </Center>
  );
}
