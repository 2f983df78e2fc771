/** The fields that filter a list: those that are needed most, and the others on request. */
import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import classes from "./fields.module.css";

interface FiltersProps {
  children: ReactNode;
  more: ReactNode;
  /** Whether one of the others is set: then they can be seen from the beginning. */
  isMoreUsed: boolean;
}

export function Filters({ children, more, isMoreUsed }: FiltersProps) {
  const { t } = useTexts();
  const id = useId();
  const [isOpen, setOpen] = useState(isMoreUsed);
  return (
    <Stack role="search" gap="sm">
      <div className={classes.fields}>{children}</div>
      <div id={id} className={classes.fields} hidden={!isOpen}>
        {isOpen && more}
      </div>
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t.fewerFilters : t.moreFilters}
        </Button>
      </Group>
    </Stack>
  );
}
