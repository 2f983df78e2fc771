/** The way from a list to one of its records, and back to the list as it was left. */
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";

/** The name of a record in a row. */
export function RecordLink({ to, children }: { to: string; children: ReactNode }) {
  const { search } = useLocation();
  return (
    <Anchor component={Link} to={to} state={{ list: search }} fw={500} style={{ overflowWrap: "anywhere" }}>
      <bdi>{children}</bdi>
    </Anchor>
  );
}

/** The query of the list from which the record was opened. */
export function useList(): string | undefined {
  const { state } = useLocation();
  const list: unknown = state?.list;
  return typeof list === "string" ? list : undefined;
}

/** @param to the list without a query */
export function ListLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={`${to}${useList() ?? ""}`} w="fit-content">
      {children}
    </Anchor>
  );
}
