/** What is done on the server. */
import { Text } from "@mantine/core";

export function ServerCommand({ text, command }: { text?: string; command: string }) {
  return (
    <Text component="div" size="sm" c="dimmed" mt="xs">
      {text}
      <Text size="sm" ff="monospace" dir="ltr" style={{ overflowWrap: "anywhere" }}>
        npx bookdist {command} you@example.org
      </Text>
    </Text>
  );
}
