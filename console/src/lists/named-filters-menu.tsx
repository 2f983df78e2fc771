/** Chooses among the filters that have a name, saves the present ones, and renames or deletes them. */
import { Button, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Suspense, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useTexts } from "../messages/index.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { describeFilter, type FilteredList, fitsInto, type NamedFilter } from "./named-filters.ts";
import { useNamedFilters } from "./use-named-filters.ts";

const NamedFilterDialog = lazyPart(() => import("./named-filters-dialog.tsx"));

export function NamedFiltersMenu({ list }: { list: FilteredList }) {
  const { t } = useTexts();
  const [query, setQuery] = useSearchParams();
  const [open, setOpen] = useState<"save" | "edit">();
  const [wasOpened, setWasOpened] = useState(false);
  const show = (what: "save" | "edit") => {
    setWasOpened(true);
    setOpen(what);
  };
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
          <Menu.Item disabled={present === "" || !fitsInto(present)} onClick={() => show("save")}>
            {t("namedFilters.save")}
          </Menu.Item>
          {named.length > 0 && <Menu.Item onClick={() => show("edit")}>{t("namedFilters.edit")}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {wasOpened && (
        <Suspense>
          <NamedFilterDialog open={open} query={present} {...{ named, store, close }} />
        </Suspense>
      )}
    </>
  );
}
