/** A page that needs a permission, with a sentence for those who don't have it. */
import { Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { Page, type PageProps } from "../ui/page.tsx";
import { usePermission } from "./session.ts";

interface PermittedPageProps extends PageProps {
  permission: Schemas["Permission"];
}

export function PermittedPage({ permission, ...page }: PermittedPageProps) {
  const { t } = useTexts();
  const isPermitted = usePermission(permission);
  if (isPermitted) return <Page {...page} />;
  return (
    <Page title={page.title}>
      <Text>{t("forbidden.text")}</Text>
    </Page>
  );
}
