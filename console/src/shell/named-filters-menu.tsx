/** Chooses among the filters that have a name, saves the present ones, and renames or deletes them. */
import { Button, Group, Menu, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "./form-dialog.tsx";
import {
  addFilter,
  describeFilter,
  type FilteredList,
  fitsInto,
  MAX_NAME,
  MAX_NAMED,
  type NamedFilter,
} from "./named-filters.ts";
import { useNamedFilters } from "./use-named-filters.ts";

export function NamedFiltersMenu({ list }: { list: FilteredList }) {
  const { t } = useTexts();
  const [query, setQuery] = useSearchParams();
  const [open, setOpen] = useState<"save" | "edit">();
  const button = useRef<HTMLButtonElement>(null);
  const { filters, keep } = useNamedFilters();
  const named = filters[list];
  const present = describeFilter(query);
  const active = named.find((each) => each.query === present);
  const close = () => {
    setOpen(undefined);
    // The entry of the menu that opened the dialog is gone.
    button.current?.focus();
  };
  const store = (changed: readonly NamedFilter[]) => {
    if (!keep(list, changed))
      return void notifications.show({ color: "red", message: t("namedFilters.notKept") });
    notifications.show({ message: t("saved") });
    close();
  };
  return (
    <>
      <Menu withinPortal={false} position="bottom-start" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button ref={button} variant="default" size="compact-sm" maw="100%">
            <Text inherit truncate lh="md" dir="auto">
              {active ? t("namedFilters.titleOf", { name: active.name }) : t("namedFilters.title")}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw="min(24rem, 90vw)">
          {named.length > 0 && (
            <Menu.RadioGroup value={present} onChange={(chosen) => setQuery(chosen, { flushSync: true })}>
              {list !== "overview" && (
                <Menu.RadioItem value="" closeMenuOnClick>
                  {t("namedFilters.none")}
                </Menu.RadioItem>
              )}
              {named.map(({ name, query: kept }) => (
                <Menu.RadioItem key={name} value={kept} closeMenuOnClick style={{ overflowWrap: "anywhere" }}>
                  <bdi>{name}</bdi>
                </Menu.RadioItem>
              ))}
              <Menu.Divider />
            </Menu.RadioGroup>
          )}
          <Menu.Item disabled={present === "" || !fitsInto(present)} onClick={() => setOpen("save")}>
            {t("namedFilters.save")}
          </Menu.Item>
          {named.length > 0 && (
            <Menu.Item onClick={() => setOpen("edit")}>{t("namedFilters.edit")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormDialog title={t("namedFilters.title")} isOpen={open !== undefined} close={close}>
        {open === "save" && <SaveForm named={named} query={present} store={store} close={close} />}
        {open === "edit" && <EditForm named={named} store={store} close={close} />}
      </FormDialog>
    </>
  );
}

interface NamedProps {
  named: readonly NamedFilter[];
  store(changed: readonly NamedFilter[]): void;
  close(): void;
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
        label={t("namedFilters.name")}
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
              aria-label={t("namedFilters.deleteOf", { name: was })}
              onClick={() => form.removeListItem("rows", index)}
            >
              {t("namedFilters.delete")}
            </Button>
          </Group>
        ))}
      </Stack>
    </DialogForm>
  );
}
