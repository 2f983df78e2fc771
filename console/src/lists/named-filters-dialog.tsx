/** The dialog of filters that have a name: saves the present ones, renames and deletes. Loaded when it is first opened. */
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { DialogForm, FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { addFilter, MAX_NAME, MAX_NAMED, type NamedFilter } from "./named-filters.ts";

interface NamedProps {
  named: readonly NamedFilter[];
  store(changed: readonly NamedFilter[]): void;
  close(): void;
}

interface NamedFilterDialogProps extends NamedProps {
  open: "save" | "edit" | undefined;
  /** Of the present filters. */
  query: string;
}

export default function NamedFilterDialog({ open, query, ...named }: NamedFilterDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog title={t("namedFilters.title")} isOpen={open !== undefined} close={named.close}>
      {open === "save" && <SaveForm query={query} {...named} />}
      {open === "edit" && <EditForm {...named} />}
    </FormDialog>
  );
}

function SaveForm({ named, query, store, close }: NamedProps & { query: string }) {
  const { t } = useTexts();
  const isTaken = (name: string) => named.some((each) => each.name === name.trim());
  const isFull = (name: string) => named.length >= MAX_NAMED && !isTaken(name);
  const form = useForm({
    initialValues: { name: "" },
    validate: {
      name: (name) =>
        name.trim() === ""
          ? t("namedFilters.noName")
          : isFull(name)
            ? t("namedFilters.isFull", { count: MAX_NAMED })
            : null,
    },
  });
  return (
    <DialogForm
      onSubmit={form.onSubmit(({ name }) => store(addFilter(named, { name: name.trim(), query })))}
      close={close}
      action={t("save")}
      isPending={false}
    >
      <Text size="sm">{t("namedFilters.about")}</Text>
      <TextInput
        label={t("words.name")}
        description={isTaken(form.values.name) ? t("namedFilters.replaces") : undefined}
        maxLength={MAX_NAME}
        dir="auto"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps("name")}
      />
    </DialogForm>
  );
}

function EditForm({ named, store, close }: NamedProps) {
  const { t } = useTexts();
  const form = useForm({
    initialValues: { rows: named.map(({ name, query }) => ({ was: name, name, query })) },
    validate: {
      rows: {
        name: (name, { rows }) =>
          name.trim() === ""
            ? t("namedFilters.noName")
            : rows.filter((each) => each.name.trim() === name.trim()).length > 1
              ? t("namedFilters.isTaken")
              : null,
      },
    },
  });
  return (
    <DialogForm
      onSubmit={form.onSubmit(({ rows }) =>
        store(rows.map(({ name, query }) => ({ name: name.trim(), query }))),
      )}
      close={close}
      action={t("save")}
      isPending={false}
    >
      {form.values.rows.length === 0 && <Text role="status">{t("namedFilters.allDeleted")}</Text>}
      <Stack gap="xs">
        {form.values.rows.map(({ was }, index) => (
          <Group key={was} gap="xs" wrap="nowrap" align="start">
            <TextInput
              flex={1}
              aria-label={t("namedFilters.nameOf", { name: was })}
              maxLength={MAX_NAME}
              dir="auto"
              autoComplete="off"
              {...form.getInputProps(`rows.${index}.name`)}
            />
            <Button
              variant="subtle"
              color="red"
              aria-label={t("deleteOf", { name: was })}
              onClick={() => form.removeListItem("rows", index)}
            >
              {t("delete")}
            </Button>
          </Group>
        ))}
      </Stack>
    </DialogForm>
  );
}
