/** A file as it was recognised, with a field for each thing that can be corrected. */
import { Box, Button, Checkbox, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { RemarkLines } from "../books/use-remark-lines.tsx";
import { useTexts } from "../messages/index.tsx";
import { useSession } from "../session/session.ts";
import { type Draft, listOpenRemarks } from "./drafts.ts";
import type { Edit } from "./queue.ts";
import classes from "./uploads.module.css";

export interface ChoosableLanguage {
  code: string;
  name: string;
  /** Whether the service doesn't have it yet. */
  isNew?: boolean;
}

export interface DraftRowProps {
  draft: Draft;
  /** Who says which book it belongs to: that on whose page it was dropped, a catalogue, or somebody here. */
  bookBy: "page" | "catalogue" | "person";
  isDisabled: boolean;
  languages: readonly ChoosableLanguage[];
  edit(change: Edit): void;
  /** How many other files can get the language that was chosen here. */
  alike: number;
  editAlike(): void;
}

/** As of a file that was stored beside another one of the same bytes. */
const remarkOnPlace = (known: Draft["knownAs"][number]) =>
  "path" in known
    ? []
    : {
        code: "known_elsewhere",
        found: null,
        expected: null,
        bookId: known.bookId,
        languageCode: known.languageCode,
      };

export function DraftRow({ draft, bookBy, isDisabled, languages, edit, alike, editAlike }: DraftRowProps) {
  const { t, nameLanguage } = useTexts("uploads");
  const { data: session } = useSession();
  const { path, languageCode, fileType, title, book, isIncluded, notes, knownAs } = draft;
  const remarks = [...listOpenRemarks(draft), ...knownAs.flatMap(remarkOnPlace)];
  const fileTypes = session && "limits" in session ? session.limits.fileTypes : [];
  const types = fileTypes.map((value) => ({ value, label: value.toUpperCase() }));
  const isUnknown = languageCode !== "" && languages.every(({ code }) => code !== languageCode);
  const label = (language: ChoosableLanguage) =>
    language.isNew ? t("uploads.newLanguage", { name: nameLanguage(language) }) : nameLanguage(language);
  const codes = [
    ...(languageCode === "" ? [{ value: "", label: t("uploads.choose") }] : []),
    ...(isUnknown
      ? [{ value: languageCode, label: label({ code: languageCode, name: languageCode, isNew: true }) }]
      : []),
    ...languages.map((each) => ({ value: each.code, label: label(each) })),
  ];
  return (
    <Table.Tr className={classes.row} data-excluded={!isIncluded || undefined}>
      <Table.Td className={classes.path}>
        <Checkbox
          label={<bdi>{path}</bdi>}
          aria-label={t("uploads.include", { path })}
          checked={isIncluded}
          disabled={isDisabled}
          onChange={({ currentTarget: { checked } }) =>
            edit({ isIncluded: checked, ...(checked && notes.length > 0 && { isWanted: true }) })
          }
        />
        {notes.map((note) => (
          <Text key={note} className={classes.note} size="sm">
            <bdi>{note}</bdi>
          </Text>
        ))}
        {remarks.length > 0 && (
          <Box className={classes.note}>
            {/* Remarks name other books only. */}
            <RemarkLines bookId="" remarks={remarks} />
          </Box>
        )}
      </Table.Td>
      <Table.Td data-label={t("uploads.language")}>
        <NativeSelect
          aria-label={t("uploads.languageOf", { path })}
          className={classes.input}
          value={languageCode}
          data={codes}
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) =>
            // It was left out because of its language.
            edit({ languageCode: value, ...(languageCode === "" && { isIncluded: true }) })
          }
        />
        {alike > 0 && (
          <Button size="compact-xs" variant="light" mt={4} disabled={isDisabled} onClick={editAlike}>
            {t("uploads.alsoFor", { count: alike })}
          </Button>
        )}
      </Table.Td>
      <Table.Td data-label={t("uploads.type")}>
        <NativeSelect
          aria-label={t("uploads.typeOf", { path })}
          className={classes.type}
          value={fileType}
          data={[...(fileType === "" ? [{ value: "", label: t("uploads.choose") }] : []), ...types]}
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => edit({ fileType: value })}
        />
      </Table.Td>
      <Table.Td data-label={t("uploads.titleField")}>
        <TextInput
          aria-label={t("uploads.titleOf", { path })}
          className={classes.input}
          value={title}
          maxLength={500}
          dir="auto"
          disabled={isDisabled}
          onChange={({ currentTarget: { value } }) => edit({ title: value })}
        />
      </Table.Td>
      {bookBy === "catalogue" && (
        <Table.Td data-label={t("uploads.book")}>
          <bdi>{book.titleEn}</bdi>
        </Table.Td>
      )}
      {bookBy === "person" && (
        <Table.Td data-label={t("uploads.book")}>
          <TextInput
            aria-label={t("uploads.bookOf", { path })}
            className={classes.input}
            value={book.titleEn}
            maxLength={500}
            dir="auto"
            disabled={isDisabled}
            onChange={({ currentTarget: { value } }) => edit({ bookTitle: value })}
          />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
