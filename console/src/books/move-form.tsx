/** Moves a book to any position of the list, also on other pages. */
import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { DialogForm } from "../forms/form-dialog.tsx";
import { NumberField } from "../forms/number-field.tsx";
import { useTexts } from "../messages/index.tsx";

interface MoveFormProps {
  title: string;
  position: number;
  /** The last position of the list. */
  last: number;
  move(position: number): void;
  close(): void;
}

export function MoveForm({ title, position, last, move, close }: MoveFormProps) {
  const { t } = useTexts("books");
  const [typed, setTyped] = useState<number | "">(position);
  const take = (to: number) => {
    close();
    move(to);
  };
  const isPossible = typed !== "" && Number.isInteger(typed) && typed >= 1 && typed <= last;
  return (
    <DialogForm
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible) take(typed);
      }}
      close={close}
      action={t("books.moveThere")}
      isPending={false}
      isDisabled={!isPossible || typed === position}
    >
      <Text style={{ overflowWrap: "anywhere" }}>
        <bdi>{title}</bdi>
      </Text>
      <Group>
        <Button variant="default" disabled={position === 1} onClick={() => take(1)}>
          {t("books.toTop")}
        </Button>
        <Button variant="default" disabled={position === last} onClick={() => take(last)}>
          {t("books.toEnd")}
        </Button>
      </Group>
      <NumberField
        label={t("books.position")}
        description={t("books.positionHint", { last })}
        min={1}
        max={last}
        step={1}
        value={typed}
        onChange={setTyped}
        data-autofocus
      />
    </DialogForm>
  );
}
