/** What an import has done, read when somebody asks for it: it can have megabytes. */
import { Button, List, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../shell/loaded.tsx";
import { importsMessages } from "./messages.ts";
import { importQuery, type ListedImport } from "./queries.ts";

/** The others are in the CSV. */
const SHOWN_FAILURES = 50;

export function ImportResult({ entry, name }: { entry: ListedImport; name: string }) {
  const { t } = useTexts(importsMessages);
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        w="fit-content"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={t.imports.resultOf(name)}
      >
        {t.imports.result}
      </Button>
      {isOpen && <ReadResult entry={entry} />}
    </>
  );
}

function ReadResult({ entry }: { entry: ListedImport }) {
  const query = useQuery(importQuery(entry));
  return <Loaded query={query}>{({ result }) => <Result result={result} />}</Loaded>;
}

function Result({ result }: { result: Schemas["ImportResult"] | null }) {
  const { t } = useTexts(importsMessages);
  const { books, leftOut, failed } = result ?? { books: [], leftOut: [], failed: [] };
  const count = (status: string) => books.filter((book) => book.status === status).length;
  const known = books.flatMap(({ files }) => files).filter(({ status }) => status === "known").length;
  const out = leftOut.length + known;
  const more = failed.length - SHOWN_FAILURES;
  return (
    <Stack gap="xs">
      <Text>{t.imports.counts(count("create"), count("update"), count("unchanged"))}</Text>
      {count("unsure") > 0 && <Text>{t.imports.unsure(count("unsure"))}</Text>}
      {out > 0 && <Text>{t.imports.leftOut(out)}</Text>}
      {failed.length > 0 && (
        <>
          <Text>{t.imports.failed(failed.length)}</Text>
          <List size="sm">
            {failed.slice(0, SHOWN_FAILURES).map(({ path, slug, code, message }) => (
              <List.Item key={`${path} ${slug} ${code} ${message}`}>
                <bdi>{path ?? slug}</bdi>: <bdi lang="en">{message}</bdi>
              </List.Item>
            ))}
          </List>
          {more > 0 && <Text size="sm">{t.imports.more(more)}</Text>}
        </>
      )}
    </Stack>
  );
}
