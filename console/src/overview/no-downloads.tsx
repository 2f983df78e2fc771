/** In place of empty reports: the next steps to a first download. */
import { Anchor, List, Paper, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { usePermission, useSession } from "../session/session.ts";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";

export function NoDownloads() {
  const { t } = useTexts("overview");
  const { data: session } = useSession();
  const site = session && "publicSiteUrl" in session ? session.publicSiteUrl : null;
  return (
    <DimmedWhileOutdated>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Text>{t("overview.none")}</Text>
          <List>
            <Step isOffered={usePermission("edit_books")} to="/import">
              {t("overview.steps.books")}
            </Step>
            <Step isOffered={usePermission("view_channels")} to="/publications">
              {t("overview.steps.publish")}
            </Step>
            {site !== null && (
              <List.Item>
                {t("overview.steps.site")}{" "}
                <Anchor href={site} target="_blank" rel="noreferrer" underline="always" dir="ltr">
                  {site}
                </Anchor>
              </List.Item>
            )}
          </List>
        </Stack>
      </Paper>
    </DimmedWhileOutdated>
  );
}

function Step({ isOffered, to, children }: { isOffered: boolean; to: string; children: ReactNode }) {
  if (!isOffered) return null;
  return (
    <List.Item>
      <Anchor component={Link} to={to} underline="always">
        {children}
      </Anchor>
    </List.Item>
  );
}
