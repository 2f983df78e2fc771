/** Which book is published on which channel, for a language. Language and filters stand in the address. */
import { Alert, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { findToday } from "../dates/range.ts";
import { useUnsaved } from "../forms/unsaved.ts";
import { languagesQuery } from "../languages/queries.ts";
import { saveFile } from "../lib/save-file.ts";
import { isControl } from "../lib/shortcut.ts";
import { FilterText } from "../lists/filter-text.tsx";
import { NamedFiltersMenu } from "../lists/named-filters-menu.tsx";
import { NothingFound } from "../lists/nothing-found.tsx";
import { useTexts } from "../messages/index.tsx";
import { findShownZone } from "../messages/zones.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { usePageKeys } from "../ui/keys.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Note } from "../ui/note.tsx";
import { useDescribeProblem } from "../ui/problems.tsx";
import { useAddress } from "../ui/use-address.ts";
import type { Grid, GridBook, Wanted } from "./changes.ts";
import { PublicationGrid } from "./grid.tsx";
import { gridQuery } from "./queries.ts";
import {
  countCells,
  filterBooks,
  findRange,
  repeatAnchor,
  type Selection,
  SHOWN,
  type Shown,
  selectCell,
  setSelection,
  switchSelection,
  writeGrid,
} from "./selection.ts";
import { type PublicationChanges, usePublicationChanges } from "./use-changes.ts";

const nameFile = (code: string): string => `publications-${code}-${findToday(findShownZone())}.csv`;

export default function PublicationsPage() {
  const { t } = useTexts("publications");
  const languages = useQuery(languagesQuery);
  return (
    <PermittedPage permission="view_channels" title={t("nav.publications")}>
      <Loaded
        query={languages}
        empty={{ when: (data) => data.languages.length === 0, text: t("publications.noLanguages") }}
      >
        {(data) => <LanguagePublications languages={data.languages} />}
      </Loaded>
    </PermittedPage>
  );
}

function LanguagePublications({ languages }: { languages: Schemas["Language"][] }) {
  const { t } = useTexts("publications");
  const { query, change } = useAddress();
  const clear = () => change({ search: "", show: "" });
  const asked = query.get("languageCode");
  const code = languages.find((each) => each.code === asked)?.code ?? languages[0]?.code ?? "";
  const search = query.get("search") ?? "";
  const shown = SHOWN.find((each) => each === query.get("show")) ?? "all";
  const grid = useQuery(gridQuery(code));
  const changes = usePublicationChanges(code);
  useUnsaved(changes.unsaved > 0);
  return (
    <Stack gap="sm">
      <Filters {...{ languages, code, search, shown, change }} />
      <Loaded
        query={grid}
        empty={{
          when: ({ channels, books }) => channels.length === 0 || books.length === 0,
          text: grid.data?.channels.length === 0 ? t("publications.noChannels") : t("publications.noBooks"),
        }}
      >
        {(data) => (
          <EditablePublications key={code} {...{ code, grid: data, changes, search, shown, clear }} />
        )}
      </Loaded>
    </Stack>
  );
}

interface FiltersProps {
  languages: Schemas["Language"][];
  code: string;
  search: string;
  shown: Shown;
  change(values: Record<string, string>): void;
}

function Filters({ languages, code, search, shown, change }: FiltersProps) {
  const { t, nameLanguage } = useTexts("publications");
  return (
    <Group align="end" role="search">
      <NativeSelect
        label={t("words.language")}
        value={code}
        data={languages.map((each) => ({ value: each.code, label: nameLanguage(each) }))}
        onChange={({ currentTarget: { value } }) => change({ languageCode: value })}
      />
      <FilterText
        type="search"
        label={t("words.search")}
        placeholder={t("publications.searchHint")}
        value={search}
        change={(text) => change({ search: text })}
        flex={1}
        miw={180}
      />
      <NativeSelect
        label={t("publications.show")}
        value={shown}
        data={SHOWN.map((value) => ({ value, label: t(`publications.shown.${value}`) }))}
        onChange={({ currentTarget: { value } }) => change({ show: value === "all" ? "" : value })}
      />
      <NamedFiltersMenu list="publications" />
    </Group>
  );
}

interface EditableProps {
  code: string;
  grid: Grid;
  changes: PublicationChanges;
  search: string;
  shown: Shown;
  clear(): void;
}

/** The books of a filter as they were when it was set: what is changed stays in its place. */
function useShownBooks({ books }: Grid, search: string, shown: Shown): readonly GridBook[] {
  const find = () => new Set(filterBooks(books, search, shown).map(({ bookId }) => bookId));
  const [found, setFound] = useState({ search, shown, bookIds: find() });
  if (found.search !== search || found.shown !== shown) setFound({ search, shown, bookIds: find() });
  return useMemo(() => books.filter(({ bookId }) => found.bookIds.has(bookId)), [books, found]);
}

function EditablePublications({ code, grid, changes, search, shown, clear }: EditableProps) {
  const { t } = useTexts("publications");
  const canEdit = usePermission("edit_channels");
  const [selected, setSelected] = useState(selectCell({ row: 0, column: 0 }));
  const books = useShownBooks(grid, search, shown);
  const visible = useMemo(() => ({ channels: grid.channels, books }), [grid.channels, books]);
  const selection = within(selected, visible);
  const { wanted, change, undo } = changes;
  usePageKeys((event) => {
    if (!isControl(event, "z")) return;
    event.preventDefault();
    undo();
  });
  return (
    <>
      <Toolbar {...{ canEdit, changes, visible, selection, code }} />
      {books.length === 0 ? (
        <NothingFound
          hasFilter
          noMatch={t("publications.noMatch")}
          empty={t("publications.noBooks")}
          clear={clear}
        />
      ) : (
        <PublicationGrid
          label={t("nav.publications")}
          grid={visible}
          wanted={wanted}
          canEdit={canEdit}
          selection={selection}
          select={setSelected}
          toggle={(next) => change(switchSelection(visible, wanted, next))}
          repeat={(next) => change(repeatAnchor(visible, wanted, next))}
        />
      )}
      {canEdit && <Note>{t("publications.hint")}</Note>}
    </>
  );
}

/** After a filter, the grid can be smaller than the selection. */
function within({ anchor, active }: Selection, { books, channels }: Grid): Selection {
  const clamp = ({ row, column }: typeof anchor) => ({
    row: Math.min(row, books.length - 1),
    column: Math.min(column, channels.length - 1),
  });
  return { anchor: clamp(anchor), active: clamp(active) };
}

interface ToolbarProps {
  canEdit: boolean;
  changes: PublicationChanges;
  visible: Grid;
  selection: Selection;
  code: string;
}

function Toolbar({ canEdit, changes, visible, selection, code }: ToolbarProps) {
  const { t } = useTexts("publications");
  const { wanted, change, undo, canUndo } = changes;
  const size = { rows: visible.books.length, columns: visible.channels.length };
  const cells = countCells(findRange(selection, size));
  const set = (isPublished: boolean) => change(setSelection(visible, wanted, selection, isPublished));
  return (
    <>
      <Group justify="space-between">
        <Group gap="xs">
          {canEdit && (
            <>
              <Button size="compact-sm" variant="default" onClick={() => set(true)}>
                {t("publications.publish")}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => set(false)}>
                {t("publications.withdraw")}
              </Button>
              <Button size="compact-sm" variant="default" disabled={!canUndo} onClick={undo}>
                {t("undo")}
              </Button>
              <Text size="sm">{t("publications.selected", { count: cells })}</Text>
            </>
          )}
        </Group>
        <CountAndFile {...{ visible, wanted, code }} />
      </Group>
      {canEdit && <SavingState changes={changes} />}
    </>
  );
}

function CountAndFile({ visible, wanted, code }: { visible: Grid; wanted: Wanted; code: string }) {
  const { t } = useTexts("publications");
  return (
    <Group gap="sm">
      <Note>{t("words.bookCount", { count: visible.books.length })}</Note>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={() => saveFile(nameFile(code), writeGrid(visible, wanted))}
      >
        {t("publications.csv")}
      </Button>
    </Group>
  );
}

function SavingState({ changes }: { changes: PublicationChanges }) {
  const { t } = useTexts("publications");
  const describe = useDescribeProblem();
  const { unsaved, stopped, problem, canUndo, resume } = changes;
  const count = unsaved - stopped;
  return (
    <>
      {stopped > 0 && (
        <Alert color="red" role="alert" title={t("publications.stopped", { count: stopped })}>
          <Group justify="space-between">
            {problem && <span>{describe(problem)}</span>}
            <Button variant="default" onClick={resume}>
              {t("tryAgain")}
            </Button>
          </Group>
        </Alert>
      )}
      {problem && count > 0 ? (
        <Alert variant="default" icon="!" role="status" title={t("publications.waiting", { count })}>
          {describe(problem)}
        </Alert>
      ) : (
        <Note role="status">
          {count > 0
            ? t("publications.saving", { count })
            : canUndo && stopped === 0
              ? t("publications.saved")
              : " "}
        </Note>
      )}
    </>
  );
}
