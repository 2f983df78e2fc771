/** In place of an empty list: why it is empty, and the way to all of it where filters are the reason. */
import { Button, Stack, Text } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";

interface NothingFoundProps {
  hasFilter: boolean;
  noMatch: string;
  empty: string;
  clear(): void;
}

export function NothingFound({ hasFilter, noMatch, empty, clear }: NothingFoundProps) {
  const { t } = useTexts();
  return (
    <Stack align="start">
      <Text>{hasFilter ? noMatch : empty}</Text>
      {hasFilter && (
        <Button variant="default" onClick={clear}>
          {t("clearFilters")}
        </Button>
      )}
    </Stack>
  );
}
