/** A list that is read page by page: its rows with the way to the other pages, or why there are none. */
import { Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Schemas } from "../api/client.ts";
import { hasFilter } from "../lib/address.ts";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Loading } from "../ui/loading.tsx";
import { DimmedWhileOutdated } from "../ui/outdated.tsx";
import type { Address } from "../ui/use-address.ts";
import { NothingFound } from "./nothing-found.tsx";
import { Pages } from "./pages.tsx";

interface PagedListProps<Part, Row> {
  query: UseQueryResult<Part>;
  address: Address;
  rowsOf(part: Part): Row[];
  /** Whose texts say how much there is, or why there is nothing. */
  list: "audit" | "books" | "contacts" | "downloads";
  children(rows: Row[], pagination: Schemas["Pagination"]): ReactNode;
}

export function PagedList<Part extends { pagination: Schemas["Pagination"] }, Row>({
  query,
  address,
  rowsOf,
  list,
  children,
}: PagedListProps<Part, Row>) {
  const { t } = useTexts(list);
  const { change, clear } = address;
  return (
    <Loaded query={query}>
      {(part) => {
        const rows = rowsOf(part);
        const { total, totalPages } = part.pagination;
        if (rows.length === 0 && total > 0)
          return (
            <Skipped
              isKnown={!query.isPlaceholderData}
              skip={() => change({ page: totalPages > 1 ? String(totalPages) : "" })}
            />
          );
        if (rows.length === 0)
          return (
            <DimmedWhileOutdated>
              <NothingFound
                hasFilter={hasFilter(address.query)}
                noMatch={t(`${list}.noMatch`)}
                empty={t(`${list}.empty`)}
                clear={clear}
              />
            </DimmedWhileOutdated>
          );
        return (
          <Stack>
            <DimmedWhileOutdated>
              <Stack>{children(rows, part.pagination)}</Stack>
            </DimmedWhileOutdated>
            <Pages
              pagination={part.pagination}
              count={t(`${list}.count`, { count: total })}
              change={change}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** In place of a page behind the last one, which was emptied or never was. */
function Skipped({ isKnown, skip }: { isKnown: boolean; skip(): void }) {
  useEffect(() => {
    if (isKnown) skip();
  });
  return <Loading />;
}
