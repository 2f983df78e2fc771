/** Goes to a page, a book or a contact, or does something, by some letters of its name. Loaded when it is first opened. */
import { Box, Text, TextInput, UnstyledButton } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ask } from "../ui/page-request.ts";
import { useDescribeProblem } from "../ui/problems.tsx";
import classes from "./palette.module.css";
import { type Option, type PageLink, useOptions } from "./palette-options.ts";

interface PaletteProps {
  pages: readonly PageLink[];
  open: "palette" | "keys" | undefined;
  show(what: "palette" | "keys" | undefined): void;
}

/** After the focus is where it was before: a dialog that opens then gives it back there. */
const FOCUS_RETURNS_MS = 20;

export default function Palette({ pages, open, show }: PaletteProps) {
  const { t } = useTexts("palette");
  const later = useRef<() => void>(undefined);
  const close = () => show(undefined);
  return (
    <Dialog
      opened={open !== undefined}
      onClose={close}
      onExitTransitionEnd={() => {
        if (later.current) setTimeout(later.current, FOCUS_RETURNS_MS);
        later.current = undefined;
      }}
      title={open === "keys" ? t("palette.keys") : t("goTo")}
      size="lg"
    >
      {open === "keys" ? (
        <Keys />
      ) : (
        <Search
          pages={pages}
          close={close}
          showKeys={() => show("keys")}
          runLater={(run) => {
            later.current = run;
          }}
        />
      )}
    </Dialog>
  );
}

interface SearchProps extends Pick<PaletteProps, "pages"> {
  close(): void;
  showKeys(): void;
  /** Runs something once the palette is closed. */
  runLater(run: () => void): void;
}

/** What was typed, what it finds, and which of that is chosen by keys. */
function useSearch({ pages, close, showKeys, runLater }: SearchProps) {
  const go = useNavigate();
  const [typed, setTyped] = useState("");
  const { groups, isPending, error } = useOptions(typed.trim(), pages, showKeys);
  // By its key, since further options come between; undefined: the first one.
  const [active, setActive] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const options = groups.flatMap((group) => group.options);
  const known = options.findIndex(({ key }) => key === active);
  const current = known < 0 ? Math.min(0, options.length - 1) : known;
  const choose = (option: Option | undefined) => {
    if (!option) return;
    const { target } = option;
    close();
    if ("run" in target) runLater(target.run);
    else void go(target.to, { state: target.request && ask(target.request) });
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0)
      setActive(options.at((current + step) % options.length)?.key);
    else if (event.key === "Enter" && options.length === 0) setEntered(isPending);
    else if (event.key === "Enter") choose(options[current]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    if (!isEntered || isPending) return;
    setEntered(false);
    choose(options[0]);
  });
  const type = (text: string) => {
    setTyped(text);
    setActive(undefined);
    setEntered(false);
  };
  return { typed, type, press, groups, options, current, choose, isPending, error };
}

type ListProps = Pick<ReturnType<typeof useSearch>, "groups" | "options" | "current" | "choose"> & {
  id: string;
};

function OptionList({ id, groups, options, current, choose }: ListProps) {
  const { t } = useTexts("palette");
  return (
    <div role="listbox" id={id} aria-label={t("palette.results")} className={classes.options}>
      {groups.map(({ name, options: ofGroup }) => (
        <Box key={name} role="group" aria-label={t(`palette.groups.${name}`)}>
          {ofGroup.map((option) => {
            const at = options.indexOf(option);
            return (
              <OptionRow
                key={option.key}
                id={`${id}-${at}`}
                option={option}
                group={t(`palette.groups.${name}`)}
                isCurrent={at === current}
                choose={() => choose(option)}
              />
            );
          })}
        </Box>
      ))}
    </div>
  );
}

/** A text box with a list of options, by the pattern of ARIA: the focus stays in the box. */
function Search({ pages, close, showKeys, runLater }: SearchProps) {
  const { t } = useTexts("palette");
  const id = useId();
  const search = useSearch({ pages, close, showKeys, runLater });
  const { typed, type, press, options, current, isPending, error } = search;
  return (
    <>
      <TextInput
        label={t("palette.search")}
        dir="auto"
        autoComplete="off"
        maxLength={200}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        value={typed}
        onChange={({ currentTarget: { value } }) => type(value)}
        onKeyDown={press}
      />
      <OptionList id={id} {...search} />
      <Outcome count={options.length} isEmptyText={typed.trim() === ""} isPending={isPending} error={error} />
    </>
  );
}

interface OutcomeProps {
  count: number;
  isEmptyText: boolean;
  isPending: boolean;
  error: unknown;
}

/** Below the list, and said to those who don't see it. */
function Outcome({ count, isEmptyText, isPending, error }: OutcomeProps) {
  const { t } = useTexts("palette");
  const describe = useDescribeProblem();
  const text = error
    ? describe(error)
    : isPending
      ? t("loading")
      : isEmptyText
        ? ""
        : count === 0
          ? t("palette.empty")
          : t("palette.count", { count });
  return (
    <Text role="status" size="sm" c={error ? "red" : "dimmed"}>
      {text}
    </Text>
  );
}

interface OptionRowProps {
  id: string;
  option: Option;
  group: string;
  isCurrent: boolean;
  choose(): void;
}

function OptionRow({ id, option: { label, note }, group, isCurrent, choose }: OptionRowProps) {
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
      <span>
        <bdi>{label}</bdi>
        {note !== undefined && note !== label && (
          <Text span size="sm" c="dimmed" display="block">
            <bdi dir="ltr">{note}</bdi>
          </Text>
        )}
      </span>
      <Text span size="sm" c="dimmed" aria-hidden>
        {group}
      </Text>
    </UnstyledButton>
  );
}

function Keys() {
  const { t } = useTexts("palette");
  const keys = [
    ["Ctrl+K", t("palette.go")],
    ["/", t("palette.find")],
    ["?", t("palette.help")],
    ["Ctrl+S", t("save")],
    ["Ctrl+A", t("palette.all")],
    ["Shift", t("palette.range")],
    ["Esc", t("palette.close")],
  ] as const;
  return (
    <DataTable
      rows={keys}
      keyOf={([key]) => key}
      columns={[
        { head: t("palette.key"), cell: ([key]) => <kbd dir="ltr">{key}</kbd> },
        { head: t("palette.what"), cell: ([, what]) => what },
      ]}
    />
  );
}
