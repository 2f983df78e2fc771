/** What isn't in the library of the files that were dropped, with the reasons: to be read, copied and saved. */
import { Badge, Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import { findToday } from "../dates/range.ts";
import { findShownZone } from "../dates/zones.ts";
import { useTexts } from "../messages/index.tsx";
import { CardTable } from "../shell/cards.tsx";
import { writeCsv } from "../shell/csv.ts";
import { Pages, useLocalPages } from "../shell/pages.tsx";
import { saveFile } from "../shell/save-file.ts";
import type { LeftOut } from "./left-out.ts";
import classes from "./uploads.module.css";

const PAGE_SIZE = 10;

export function LeftOutList({ entries }: { entries: readonly LeftOut[] }) {
  const { t } = useTexts("uploads");
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  const { shown, pagination, change } = useLocalPages(entries, PAGE_SIZE);
  const rows = entries.map(({ path, kind, reason }) => [path, t(`uploads.kinds.${kind}`), reason]);
  const copy = async () => {
    await navigator.clipboard.writeText(rows.map((cells) => cells.join("\t")).join("\n"));
    setIsCopied(true);
  };
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h3" id={id}>
          {t("uploads.leftOut", { count: entries.length })}
        </Title>
        <Group gap="xs">
          {/* Browsers have it on HTTPS and on this machine only. */}
          {"clipboard" in navigator && (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {isCopied ? t("uploads.copied") : t("uploads.copy")}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              saveFile(
                `left-out-${findToday(findShownZone())}.csv`,
                writeCsv([[t("uploads.file"), t("state"), t("uploads.reason")], ...rows]),
              )
            }
          >
            {t("uploads.csv")}
          </Button>
        </Group>
      </Group>
      <Text c="dimmed">{t("uploads.leftOutHint")}</Text>
      <CardTable>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("uploads.file")}</Table.Th>
            <Table.Th>{t("uploads.reason")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ path, kind, reason }) => (
            <Table.Tr key={`${path} ${reason}`}>
              <Table.Td className={classes.path}>
                <bdi>{path}</bdi>
              </Table.Td>
              <Table.Td data-label={t("uploads.reason")} data-wide>
                <Group gap="xs">
                  <Badge className={classes.state} variant="default" tt="none">
                    {t(`uploads.kinds.${kind}`)}
                  </Badge>
                  <Text size="sm" dir="auto">
                    {reason}
                  </Text>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </CardTable>
      {pagination.totalPages > 1 && (
        <Pages
          pagination={pagination}
          count={t("uploads.leftOut", { count: entries.length })}
          change={change}
        />
      )}
    </Stack>
  );
}
