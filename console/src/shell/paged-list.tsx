/** A list that is read page by page: its rows with the way to the other pages, or why there are none. */
import { Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Schemas } from "../api/client.ts";
import { hasFilter } from "./address.ts";
import { Loaded } from "./loaded.tsx";
import { Loading } from "./loading.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { DimmedWhileOutdated } from "./outdated.tsx";
import { Pages } from "./pages.tsx";
import type { Address } from "./use-address.ts";

interface PagedListProps<Part, Row> {
  query: UseQueryResult<Part>;
  address: Address;
  rowsOf(part: Part): Row[];
  texts: {
    /** How much there is on all pages. */
    count(n: number): string;
    noMatch: string;
    empty: string;
  };
  children(rows: Row[], pagination: Schemas["Pagination"]): ReactNode;
}

export function PagedList<Part extends { pagination: Schemas["Pagination"] }, Row>({
  query: list,
  address: { query, change, clear },
  rowsOf,
  texts: { count, noMatch, empty },
  children,
}: PagedListProps<Part, Row>) {
  return (
    <Loaded query={list}>
      {(part) => {
        const rows = rowsOf(part);
        const { total, totalPages } = part.pagination;
        if (rows.length === 0 && total > 0)
          return (
            <Skipped
              isKnown={!list.isPlaceholderData}
              skip={() => change({ page: totalPages > 1 ? String(totalPages) : "" })}
            />
          );
        if (rows.length === 0)
          return (
            <DimmedWhileOutdated>
              <NothingFound hasFilter={hasFilter(query)} noMatch={noMatch} empty={empty} clear={clear} />
            </DimmedWhileOutdated>
          );
        return (
          <Stack>
            <DimmedWhileOutdated>
              <Stack>{children(rows, part.pagination)}</Stack>
            </DimmedWhileOutdated>
            <Pages pagination={part.pagination} count={count(part.pagination.total)} change={change} />
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
