/** A number by the browser's own field: Mantine's takes 8 kB. */
import { TextInput, type TextInputProps } from "@mantine/core";

interface NumberFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** Empty: none, or none yet. */
  value?: number | "";
  onChange(value: number | ""): void;
}

export function NumberField({ value = "", onChange, ...input }: NumberFieldProps) {
  return (
    <TextInput
      type="number"
      step="any"
      {...input}
      value={value}
      onChange={({ currentTarget: { valueAsNumber } }) =>
        onChange(Number.isNaN(valueAsNumber) ? "" : valueAsNumber)
      }
    />
  );
}
