/** What isn't in the library of the files that were dropped, with the reasons: to be read, copied and saved. */
import { Badge, Button, Group, Text } from "@mantine/core";
import { useId, useState } from "react";
import { findToday } from "../dates/range.ts";
import { writeCsv } from "../lib/csv.ts";
import { saveFile } from "../lib/save-file.ts";
import { FurtherPages, useLocalPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { findShownZone } from "../messages/zones.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Section } from "../ui/section.tsx";
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
  const heads = [t("uploads.file"), t("state"), t("uploads.reason")];
  const save = () => saveFile(`left-out-${findToday(findShownZone())}.csv`, writeCsv([heads, ...rows]));
  return (
    <Section
      title={t("uploads.leftOut", { count: entries.length })}
      id={id}
      gap="sm"
      actions={
        <Group gap="xs">
          {/* Browsers have it on HTTPS and on this machine only. */}
          {"clipboard" in navigator && (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {isCopied ? t("uploads.copied") : t("uploads.copy")}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={save}>
            {t("uploads.csv")}
          </Button>
        </Group>
      }
    >
      <Text c="dimmed">{t("uploads.leftOutHint")}</Text>
      <DataTable
        isCards
        rows={shown}
        keyOf={({ path, reason }) => `${path} ${reason}`}
        columns={[
          { head: t("uploads.file"), className: classes.path, cell: ({ path }) => <bdi>{path}</bdi> },
          { head: t("uploads.reason"), isWide: true, cell: (entry) => <Reason entry={entry} /> },
        ]}
      />
      <FurtherPages
        pagination={pagination}
        count={t("uploads.leftOut", { count: entries.length })}
        change={change}
      />
    </Section>
  );
}

function Reason({ entry: { kind, reason } }: { entry: LeftOut }) {
  const { t } = useTexts("uploads");
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Badge className={classes.state} variant="default" tt="none">
        {t(`uploads.kinds.${kind}`)}
      </Badge>
      <Text size="sm" dir="auto">
        {reason}
      </Text>
    </Group>
  );
}
