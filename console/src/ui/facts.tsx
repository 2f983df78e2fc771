/** What a record contains, as text: for those who may see it and not change it. */
import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface FactsProps {
  label: string;
  /** What is empty has a dash. */
  facts: readonly { label: string; value: ReactNode }[];
}

export function Facts({ label, facts }: FactsProps) {
  return (
    <Stack component="dl" gap="sm" m={0} aria-label={label}>
      {facts.map(({ label: name, value }) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0} dir="auto" style={{ overflowWrap: "anywhere", whiteSpace: "pre-line" }}>
            {value || "–"}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
