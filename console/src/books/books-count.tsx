/** How many books there are of something, which leads to their list. */
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";

interface BooksCountProps {
  count: number;
  /** Of the list. */
  filter: Readonly<Record<string, string>>;
  /** Names the link by the written count. */
  nameLink(count: string): string;
}

export function BooksCount({ count, filter, nameLink }: BooksCountProps) {
  const { formatNumber } = useTexts();
  const canView = usePermission("view_books");
  const written = formatNumber(count);
  if (!canView || count === 0) return written;
  return (
    <Anchor component={Link} to={`/books?${new URLSearchParams(filter)}`} aria-label={nameLink(written)}>
      {written}
    </Anchor>
  );
}
