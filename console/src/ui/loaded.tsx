/** What is read from the service: while it is read, when that failed, when there is nothing, and otherwise what came. */
import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading } from "./loading.tsx";
import { OutdatedProvider } from "./outdated.tsx";
import { LoadFailure } from "./problems.tsx";

export interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch" | "isPlaceholderData">;
  /** The next step, in place of what is empty. */
  empty?: { when(data: Data): boolean; text: ReactNode };
  children(data: Data): ReactNode;
}

export function Loaded<Data>({ query, empty, children }: LoadedProps<Data>) {
  const { data, error, refetch, isPlaceholderData } = query;
  // What was read before stays: a failed refresh must not take a form away.
  if (data === undefined) return error ? <LoadFailure error={error} retry={refetch} /> : <Loading />;
  return (
    <OutdatedProvider value={isPlaceholderData}>
      {error && <LoadFailure error={error} retry={refetch} />}
      {empty?.when(data) ? <Text>{empty.text}</Text> : children(data)}
    </OutdatedProvider>
  );
}
