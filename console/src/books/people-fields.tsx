/** The people of a book or of its edition, one line for each, in the order of the title page. */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useId, useRef } from "react";
import { useTexts } from "../messages/index.tsx";
import classes from "./people-fields.module.css";

/** Someone who contributed to an edition; the role can be empty. */
export interface Contributor {
  name: string;
  role: string;
}

/** What the service takes. */
const MAX_PEOPLE = 50;
const MAX_NAME = 200;
const MAX_ROLE = 100;

/** Names without the lines that were left empty. */
export const listNames = (names: readonly string[]): string[] =>
  names.map((name) => name.trim()).filter((name) => name !== "");

/** Contributors without the lines that were left empty. */
export const listContributors = (people: readonly Contributor[]): Contributor[] =>
  people
    .map(({ name, role }) => ({ name: name.trim(), role: role.trim() }))
    .filter(({ name, role }) => name !== "" || role !== "");

/** Usual ones: any other can be written. */
const ROLES = [
  "translator",
  "illustrator",
  "narrator",
  "editor",
  "photographer",
  "cover designer",
  "foreword",
  "proofreader",
] as const;

type People = "authors" | "contributors";

interface PeopleFieldsProps<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whose list it is, and its field in the form: authors are names, contributors have a role, too. */
  people: People;
  /** Adds an empty line to the end of the list. */
  insert(): void;
  description?: string | undefined;
  /** Of the language in which the names are written. */
  lang?: string | undefined;
}

export function PeopleFields<Values extends Record<string, unknown>>(props: PeopleFieldsProps<Values>) {
  const { form, people, insert, description, lang } = props;
  const { t } = useTexts("books");
  const id = useId();
  const roles = useId();
  const values = form.getValues()[people];
  const count = Array.isArray(values) ? values.length : 0;
  const { lines, move, remove, add } = useLines(form, people, { count, insert });
  const pathOf = (index: number) =>
    people === "authors" ? `authors.${index}` : `contributors.${index}.name`;
  return (
    <Input.Wrapper
      id={id}
      label={t(`people.${people}.legend`)}
      labelElement="div"
      description={description}
      error={form.errors[people]}
      role="group"
      aria-labelledby={`${id}-label`}
    >
      <Stack gap="xs" pt={4} ref={lines}>
        {Array.from({ length: count }, (_, index) => ({ index, path: pathOf(index) })).map(
          ({ index, path }) => (
            <div key={path} className={classes.line}>
              <LineFields {...{ form, people, path, index, lang, roles }} />
              <LineActions
                nameOf={(line) => t(`people.${people}.nameOf`, { line })}
                index={index}
                isLast={index === count - 1}
                move={move}
                remove={remove}
              />
            </div>
          ),
        )}
        {count < MAX_PEOPLE && (
          <Button variant="default" size="compact-sm" w="fit-content" data-part="add" onClick={add}>
            {t(`people.${people}.add`)}
          </Button>
        )}
      </Stack>
      <datalist id={roles}>
        {ROLES.map((role) => (
          <option key={role} value={role} label={t(`people.roles.${role}`)} />
        ))}
      </datalist>
    </Input.Wrapper>
  );
}

/** What changes the list, and keeps the focus where it was. */
function useLines<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  people: People,
  { count, insert }: { count: number; insert(): void },
) {
  const { lines, focusLater } = useFocusInLines();
  const move = (from: number, to: number) => {
    form.reorderListItem(people, { from, to });
    focusLater(to, to < from ? "up" : "down");
  };
  const remove = (index: number) => {
    form.removeListItem(people, index);
    focusLater(Math.min(index, count - 2), "remove");
  };
  const add = () => {
    insert();
    focusLater(count, "name");
  };
  return { lines, move, remove, add };
}

interface LineFieldsProps<Values extends Record<string, unknown>>
  extends Pick<PeopleFieldsProps<Values>, "form" | "people" | "lang"> {
  path: string;
  index: number;
  /** The id of the list of known roles. */
  roles: string;
}

function LineFields<Values extends Record<string, unknown>>(props: LineFieldsProps<Values>) {
  const { form, people, path, index, lang, roles } = props;
  const { t } = useTexts("books");
  return (
    <div className={classes.fields}>
      <TextInput
        aria-label={t(`people.${people}.nameOf`, { line: index + 1 })}
        placeholder={t("people.name")}
        maxLength={MAX_NAME}
        data-part="name"
        dir="auto"
        lang={lang}
        {...form.getInputProps(path)}
      />
      {people === "contributors" && (
        <TextInput
          aria-label={t("people.roleOf", { line: index + 1 })}
          placeholder={t("people.role")}
          maxLength={MAX_ROLE}
          list={roles}
          autoComplete="off"
          dir="auto"
          {...form.getInputProps(`contributors.${index}.role`)}
        />
      )}
    </div>
  );
}

interface LineActionsProps {
  nameOf(line: number): string;
  index: number;
  isLast: boolean;
  move(from: number, to: number): void;
  remove(index: number): void;
}

function LineActions({ nameOf, index, isLast, move, remove }: LineActionsProps) {
  const { t } = useTexts("books");
  const name = nameOf(index + 1);
  const look = { variant: "subtle", color: "gray", size: "lg", className: classes.action } as const;
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon
        {...look}
        aria-label={t("people.up", { name })}
        data-part="up"
        disabled={index === 0}
        onClick={() => move(index, index - 1)}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label={t("people.down", { name })}
        data-part="down"
        disabled={isLast}
        onClick={() => move(index, index + 1)}
      >
        ↓
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label={t("people.remove", { name })}
        data-part="remove"
        onClick={() => remove(index)}
      >
        ✕
      </ActionIcon>
    </Group>
  );
}

type Part = "name" | "up" | "down" | "remove";

/** Keeps the focus with a line that is moved, and near one that is removed. */
function useFocusInLines() {
  const lines = useRef<HTMLDivElement>(null);
  const wanted = useRef<{ index: number; part: Part }>(undefined);
  useEffect(() => {
    if (!wanted.current) return;
    const { index, part } = wanted.current;
    wanted.current = undefined;
    const find = (name: string) => lines.current?.querySelectorAll<HTMLElement>(`[data-part=${name}]`);
    const found = find(part)?.[index];
    // At an end of the list, the way further is closed: then the name has the focus.
    const target = found?.matches(":disabled") ? find("name")?.[index] : found;
    (target ?? find("add")?.[0])?.focus();
  });
  return {
    lines,
    focusLater(index: number, part: Part) {
      wanted.current = { index, part };
    },
  };
}
