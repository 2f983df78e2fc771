/** A text that filters a list shortly after it was typed. */
import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

interface FilterTextProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  change(text: string): void;
}

export function FilterText({ value, change, ...input }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const changeLater = useDebouncedCallback((text: string) => {
    sent.current = text;
    change(text);
  }, 300);
  // From elsewhere: the way back, or all filters cleared.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      dir="auto"
      {...input}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeLater(currentTarget.value);
      }}
    />
  );
}
