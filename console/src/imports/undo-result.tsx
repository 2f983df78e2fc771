/** What the undo of an import has done, and of which books something stays. */
import { List, Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { RecordLink } from "../shell/list-links.tsx";
import { importsMessages } from "./messages.ts";
import { findText } from "./queries.ts";

export function UndoResult({ undo }: { undo: Schemas["ImportUndo"] }) {
  const { t } = useTexts(importsMessages);
  const { archived, inactive, restored, kept } = undo;
  return (
    <>
      <Text>{t.imports.undid(archived, inactive, restored)}</Text>
      {kept.length > 0 && (
        <>
          <Text>{t.imports.kept}</Text>
          <List size="sm">
            {kept.map(({ bookId, slug, code, reason }) => (
              <List.Item key={`${bookId} ${code}`}>
                <RecordLink to={`/books/${bookId}`}>{slug}</RecordLink>:{" "}
                {findText(t.imports.keptCodes, code, reason)}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
