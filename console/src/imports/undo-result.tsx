/** What the undo of an import has done, and of which books something stays. */
import { List, Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { RecordLink } from "../ui/list-links.tsx";

export function UndoResult({ undo }: { undo: Schemas["ImportUndo"] }) {
  const { t, findText } = useTexts("uploads");
  const { archived, inactive, restored, kept } = undo;
  return (
    <>
      <Text>{t("imports.undid", { books: archived, files: inactive, texts: restored })}</Text>
      {kept.length > 0 && (
        <>
          <Text>{t("imports.kept")}</Text>
          <List size="sm">
            {kept.map(({ bookId, slug, code, reason }) => (
              <List.Item key={`${bookId} ${code}`}>
                <RecordLink to={`/books/${bookId}`}>{slug}</RecordLink>:{" "}
                {findText(`imports.keptCodes.${code}`) ?? reason}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
