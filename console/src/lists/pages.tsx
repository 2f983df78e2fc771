/** Below a list: how much there is, and the way to its other pages. */
import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useOutdated } from "../ui/outdated.tsx";

interface PagesProps {
  pagination: Schemas["Pagination"];
  /** How much there is, in words. */
  count: string;
  change(values: Readonly<Record<string, string>>, way: "push"): void;
}

export function Pages({ pagination: { page, totalPages }, count, change }: PagesProps) {
  const { t } = useTexts();
  const isOutdated = useOutdated();
  const go = (to: number) => change({ page: to > 1 ? String(to) : "" }, "push");
  return (
    <Group justify="space-between">
      <Text role="status">{isOutdated ? "…" : count}</Text>
      {totalPages > 1 && (
        <Group>
          <Button variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
            {t("pages.previous")}
          </Button>
          <Text>{t("pages.of", { page, pages: totalPages })}</Text>
          <Button variant="default" disabled={page >= totalPages} onClick={() => go(page + 1)}>
            {t("pages.next")}
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** The same below a part of a page: nothing for a list of one page. */
export const FurtherPages = (props: PagesProps) => props.pagination.totalPages > 1 && <Pages {...props} />;

/** The pages of a list that is here as a whole. @param limit rows of a page */
export function useLocalPages<Row>(rows: readonly Row[], limit: number) {
  const [asked, setAsked] = useState(1);
  const totalPages = Math.max(Math.ceil(rows.length / limit), 1);
  const page = Math.min(asked, totalPages);
  return {
    shown: rows.slice((page - 1) * limit, page * limit),
    pagination: { page, limit, total: rows.length, totalPages },
    change: (values: Readonly<Record<string, string>>) => setAsked(Number(values.page) || 1),
  };
}
