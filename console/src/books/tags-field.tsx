/** Tags of a book, or for many: each is a button that removes it, and the text field after them takes further ones. */
import { Button, Group, Input, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { isSame } from "../forms/join-changes.ts";
import { useTexts } from "../messages/index.tsx";

interface TagsFieldProps {
  value: readonly string[];
  onChange(tags: readonly string[]): void;
  error?: ReactNode;
  /** At least one, without which the form isn't sent. */
  required?: boolean;
  /** How often the form was saved: what was typed is a tag then. */
  saves?: number;
}

export function TagsField({ value, onChange, error, required = false, saves = 0 }: TagsFieldProps) {
  const { t } = useTexts("books");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { tags, text, type, finish } = useTypedTags({ value, onChange, saves });
  const remove = (removed: string | undefined) => {
    onChange(value.filter((tag) => tag !== removed));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A word that an input method composes isn't finished.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && text.trim() !== "") finish();
    else if (event.key === "Backspace" && text === "") remove(tags.at(-1));
    else return;
    event.preventDefault();
  };
  return (
    <Input.Wrapper id={id} label={t("book.tags")} description={t("book.tagsHint")} error={error}>
      <Group gap="xs" pt={4}>
        {tags.map((tag) => (
          <TagButton key={tag} tag={tag} remove={() => remove(tag)} />
        ))}
        <TextInput
          ref={input}
          id={id}
          flex={1}
          miw={120}
          dir="auto"
          autoComplete="off"
          required={required && tags.length === 0}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </Group>
    </Input.Wrapper>
  );
}

function TagButton({ tag, remove }: { tag: string; remove(): void }) {
  const { t } = useTexts("books");
  return (
    <Button
      variant="default"
      size="compact-sm"
      fw={400}
      aria-label={t("book.removeTag", { tag })}
      rightSection={<span aria-hidden>✕</span>}
      onClick={remove}
    >
      <bdi>{tag}</bdi>
    </Button>
  );
}

/** What is typed belongs to the value at once, so that it is never lost; a comma makes a tag of it. */
function useTypedTags({
  value,
  onChange,
  saves,
}: Pick<TagsFieldProps, "value" | "onChange"> & { saves: number }) {
  // The service keeps a tag that was sent twice.
  const given = addTags(value, "");
  const [shown, setShown] = useState({ text: "", tags: given, saves });
  // Or changed from elsewhere, for example by what somebody else saved.
  if (shown.saves !== saves || !isSame(addTags(shown.tags, shown.text), given))
    setShown({ text: "", tags: given, saves });
  const show = (tags: readonly string[], text: string) => {
    setShown({ tags, text, saves });
    onChange(addTags(tags, text));
  };
  return {
    ...shown,
    type(text: string) {
      const [finished = ""] = /^.*[,،]/s.exec(text) ?? [];
      show(addTags(shown.tags, finished), text.slice(finished.length));
    },
    finish() {
      show(addTags(shown.tags, shown.text), "");
    },
  };
}

/** Each once. */
const addTags = (tags: readonly string[], text: string): readonly string[] => [
  ...new Set([...tags, ...readList(text)]),
];

/** The parts between commas, also Arabic ones. */
const readList = (text: string): string[] =>
  text
    .split(/[,،]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
