/** The fields of the dates from which and until which readers get a book. */
import { Group, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { findBrowserZone } from "../messages/browser-zone.ts";
import { useTexts } from "../messages/index.tsx";

/** As the fields have them: local times, empty for none. */
export type DateValues = { publishAt: string; unpublishAt: string };

export function DateFields<F extends DateValues>({ form }: { form: UseFormReturnType<F> }) {
  const { t } = useTexts("books");
  const hint = t("bookDates.hint", { zone: findBrowserZone() });
  return (
    <Group align="start" grow preventGrowOverflow={false}>
      {(["publishAt", "unpublishAt"] as const).map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          step={1}
          label={t(`bookDates.${name}`)}
          description={hint}
          {...form.getInputProps(name)}
        />
      ))}
    </Group>
  );
}
