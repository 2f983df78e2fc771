/** The columns of files as they were recognised, with a field for each thing that can be corrected. */
import { Box, Button, Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import { RemarkLines } from "../books/use-remark-lines.tsx";
import { useTexts } from "../messages/index.tsx";
import { useSession } from "../session/session.ts";
import type { Columns } from "../ui/data-table.tsx";
import { type Draft, listOpenRemarks } from "./drafts.ts";
import type { Edit } from "./queue.ts";
import classes from "./uploads.module.css";

export interface ChoosableLanguage {
  code: string;
  name: string;
  /** Whether the service doesn't have it yet. */
  isNew?: boolean;
}

export interface DraftColumns {
  /** Who says which book it belongs to: that on whose page it was dropped, a catalogue, or somebody here. */
  bookBy: "page" | "catalogue" | "person";
  isDisabled: boolean;
  languages: readonly ChoosableLanguage[];
  edit(draft: Draft, change: Edit): void;
  /** How many other files can get the language that was chosen here. */
  countAlike(draft: Draft): number;
  editAlike(): void;
}

export function useDraftColumns(given: DraftColumns): Columns<Draft> {
  const { t } = useTexts("uploads");
  const { bookBy } = given;
  return [
    {
      head: t("uploads.file"),
      className: classes.path,
      cell: (draft) => <FileCell draft={draft} {...given} />,
    },
    { head: t("words.language"), cell: (draft) => <LanguageCell draft={draft} {...given} /> },
    { head: t("uploads.type"), cell: (draft) => <TypeCell draft={draft} {...given} /> },
    { head: t("words.title"), cell: (draft) => <TitleField draft={draft} {...given} /> },
    bookBy !== "page" && {
      head: t("words.book"),
      cell: (draft) =>
        bookBy === "person" ? <BookField draft={draft} {...given} /> : <bdi>{draft.book.titleEn}</bdi>,
    },
  ];
}

interface CellProps extends DraftColumns {
  draft: Draft;
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

function FileCell({ draft, isDisabled, edit }: CellProps) {
  const { t } = useTexts("uploads");
  const { path, isIncluded, notes, knownAs } = draft;
  const remarks = [...listOpenRemarks(draft), ...knownAs.flatMap(remarkOnPlace)];
  return (
    <>
      <Checkbox
        label={<bdi>{path}</bdi>}
        aria-label={t("uploads.include", { path })}
        checked={isIncluded}
        disabled={isDisabled}
        onChange={({ currentTarget: { checked } }) =>
          edit(draft, { isIncluded: checked, ...(checked && notes.length > 0 && { isWanted: true }) })
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
    </>
  );
}

/** The languages that can be chosen, with that of the file. */
function useLanguageChoices(languageCode: string, languages: readonly ChoosableLanguage[]) {
  const { t, nameLanguage } = useTexts("uploads");
  const isUnknown = languageCode !== "" && languages.every(({ code }) => code !== languageCode);
  const own = isUnknown ? [{ code: languageCode, name: languageCode, isNew: true }] : [];
  const none = languageCode === "" ? [{ value: "", label: t("uploads.choose") }] : [];
  const choices = [...own, ...languages].map((language) => {
    const name = nameLanguage(language);
    return { value: language.code, label: language.isNew ? t("uploads.newLanguage", { name }) : name };
  });
  return [...none, ...choices];
}

function LanguageCell({ draft, isDisabled, languages, edit, countAlike, editAlike }: CellProps) {
  const { t } = useTexts("uploads");
  const { path, languageCode } = draft;
  const alike = countAlike(draft);
  return (
    <>
      <NativeSelect
        aria-label={t("uploads.languageOf", { path })}
        className={classes.input}
        value={languageCode}
        data={useLanguageChoices(languageCode, languages)}
        disabled={isDisabled}
        onChange={({ currentTarget: { value } }) =>
          // It was left out because of its language.
          edit(draft, { languageCode: value, ...(languageCode === "" && { isIncluded: true }) })
        }
      />
      {alike > 0 && (
        <Button size="compact-xs" variant="light" mt={4} disabled={isDisabled} onClick={editAlike}>
          {t("uploads.alsoFor", { count: alike })}
        </Button>
      )}
    </>
  );
}

function TypeCell({ draft, isDisabled, edit }: CellProps) {
  const { t } = useTexts("uploads");
  const { data: session } = useSession();
  const { path, fileType } = draft;
  const fileTypes = session && "limits" in session ? session.limits.fileTypes : [];
  const types = fileTypes.map((value) => ({ value, label: value.toUpperCase() }));
  return (
    <NativeSelect
      aria-label={t("uploads.typeOf", { path })}
      className={classes.type}
      value={fileType}
      data={[...(fileType === "" ? [{ value: "", label: t("uploads.choose") }] : []), ...types]}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) => edit(draft, { fileType: value })}
    />
  );
}

const TEXT = { className: classes.input, maxLength: 500, dir: "auto" };

function TitleField({ draft, isDisabled, edit }: CellProps) {
  const { t } = useTexts("uploads");
  return (
    <TextInput
      {...TEXT}
      aria-label={t("uploads.titleOf", { path: draft.path })}
      value={draft.title}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) => edit(draft, { title: value })}
    />
  );
}

function BookField({ draft, isDisabled, edit }: CellProps) {
  const { t } = useTexts("uploads");
  return (
    <TextInput
      {...TEXT}
      aria-label={t("uploads.bookOf", { path: draft.path })}
      value={draft.book.titleEn}
      disabled={isDisabled}
      onChange={({ currentTarget: { value } }) => edit(draft, { bookTitle: value })}
    />
  );
}
