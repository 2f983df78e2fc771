/** The fields that filter a list: those that are needed most, the others on request, and filters that have a name. */
import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import classes from "./fields.module.css";
import type { FilteredList } from "./named-filters.ts";
import { NamedFiltersMenu } from "./named-filters-menu.tsx";

interface FiltersProps {
  list: FilteredList;
  children: ReactNode;
  /** The fields that are needed less. */
  more?: ReactNode;
  /** How many of those are set: then they can be seen from the beginning. */
  moreInUse?: number;
}

export function Filters({ list, children, more, moreInUse = 0 }: FiltersProps) {
  const { t } = useTexts();
  const id = useId();
  const [isOpen, setOpen] = useState(moreInUse > 0);
  const [lastInUse, setLastInUse] = useState(moreInUse);
  if (lastInUse !== moreInUse) {
    setLastInUse(moreInUse);
    // Set from elsewhere, by a filter that has a name or on the way back.
    if (lastInUse === 0) setOpen(true);
  }
  return (
    <Stack role="search" gap="sm">
      <div className={classes.fields}>{children}</div>
      {more && (
        <div id={id} className={classes.fields} hidden={!isOpen}>
          {isOpen && more}
        </div>
      )}
      <Group gap="xs">
        {more && (
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen
              ? t("filters.fewer")
              : moreInUse > 0
                ? t("filters.moreInUse", { count: moreInUse })
                : t("filters.more")}
          </Button>
        )}
        <NamedFiltersMenu list={list} />
      </Group>
    </Stack>
  );
}
