/** Goes to a page or a book by some letters of its name. Loaded when it is first opened. */
import { Modal, Table, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { findBooks } from "../books/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { IN_PAGE } from "./form-dialog.tsx";
import classes from "./palette.module.css";
import { paletteMessages } from "./palette-messages.ts";

/** A page of the navigation. */
export interface PageLink {
  to: string;
  label: string;
}

interface PaletteProps {
  pages: readonly PageLink[];
  open: "palette" | "keys" | undefined;
  close(): void;
}

export default function Palette({ pages, open, close }: PaletteProps) {
  const { t } = useTexts(paletteMessages);
  return (
    <Modal
      opened={open !== undefined}
      onClose={close}
      title={open === "keys" ? t.palette.keys : t.palette.title}
      portalProps={IN_PAGE}
      size="lg"
    >
      {open === "keys" ? <Keys /> : <Search pages={pages} close={close} />}
    </Modal>
  );
}

interface Found extends PageLink {
  group: string;
}

function useFound(words: string, pages: readonly PageLink[]): { found: Found[]; isPending: boolean } {
  const { t, language } = useTexts(paletteMessages);
  const canViewBooks = usePermission("view_books");
  const [later] = useDebouncedValue(words, 200);
  const { data, isFetching } = useQuery(findBooks(canViewBooks ? later : ""));
  const fold = (text: string) => text.toLocaleLowerCase(language);
  const named = pages.filter(({ label }) => fold(label).includes(fold(words)));
  const books = words === "" ? [] : (data?.books ?? []);
  return {
    found: [
      ...named.map((page) => ({ ...page, group: t.palette.pages })),
      ...books.map(({ id, titleEn }) => ({ to: `/books/${id}`, label: titleEn, group: t.palette.books })),
    ],
    isPending: isFetching || later !== words,
  };
}

/** A text box with a list of options, by the pattern of ARIA: the focus stays in the box. */
function Search({ pages, close }: Pick<PaletteProps, "pages" | "close">) {
  const { t } = useTexts(paletteMessages);
  const go = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState("");
  const { found, isPending } = useFound(typed.trim(), pages);
  const [index, setIndex] = useState(0);
  const current = Math.min(index, found.length - 1);
  const choose = (to: string | undefined) => {
    if (to === undefined) return;
    close();
    void go(to);
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setIndex((current + step + found.length) % found.length);
    else if (event.key === "Enter") choose(found[current]?.to);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        label={t.palette.search}
        dir="auto"
        autoComplete="off"
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          setIndex(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={id} aria-label={t.palette.results} className={classes.options}>
        {found.map((option, at) => (
          <Option
            key={option.to}
            id={`${id}-${at}`}
            option={option}
            isCurrent={at === current}
            choose={() => choose(option.to)}
          />
        ))}
      </div>
      <Text role="status" size="sm" c="dimmed">
        {found.length === 0 && !isPending && t.palette.empty}
      </Text>
    </>
  );
}

interface OptionProps {
  id: string;
  option: Found;
  isCurrent: boolean;
  choose(): void;
}

function Option({ id, option, isCurrent, choose }: OptionProps) {
  useEffect(() => {
    if (isCurrent) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [isCurrent, id]);
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={isCurrent}
      tabIndex={-1}
      className={classes.option}
      onClick={choose}
    >
      <bdi>{option.label}</bdi>
      <Text span size="sm" c="dimmed">
        {option.group}
      </Text>
    </UnstyledButton>
  );
}

function Keys() {
  const { t } = useTexts(paletteMessages);
  const keys = [
    ["Ctrl+K", t.palette.go],
    ["/", t.palette.find],
    ["?", t.palette.help],
    ["Ctrl+S", t.palette.save],
    ["Ctrl+A", t.palette.all],
    ["Shift", t.palette.range],
    ["Esc", t.palette.close],
  ] as const;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.palette.key}</Table.Th>
          <Table.Th>{t.palette.what}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map(([key, what]) => (
          <Table.Tr key={key}>
            <Table.Td>
              <kbd dir="ltr">{key}</kbd>
            </Table.Td>
            <Table.Td>{what}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
