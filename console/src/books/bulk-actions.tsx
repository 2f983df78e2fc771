/** What can be done with the selected books at once: archive, restore, tags, series and publications, each with an undo. */
import { Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { FormDialog } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { useFocusAfterwards } from "../ui/lost-focus.ts";
import classes from "./bulk-actions.module.css";
import { PublishForm, SeriesForm, TagsForm } from "./bulk-forms.tsx";
import type { SelectedBooks } from "./undo-books.ts";
import { useBulkAction } from "./use-bulk-action.ts";

const FORMS = { tags: TagsForm, series: SeriesForm, publish: PublishForm } as const;
type FormName = keyof typeof FORMS;

interface BulkActionsProps {
  books: SelectedBooks;
  clear(): void;
}

export function BulkActions({ books, clear }: BulkActionsProps) {
  const { t } = useTexts("books");
  const canPublish = usePermission("edit_channels");
  const [open, setOpen] = useState<FormName>();
  useFocusAfterwards();
  const { carryOut, isPending } = useBulkAction(books, clear);
  const forms: FormName[] = ["tags", "series", ...(canPublish ? (["publish"] as const) : [])];
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("bulk.title")} className={classes.bar}>
      <Group gap="xs">
        <Text role="status" fw={500} me="xs">
          {t("bulk.selected", { count: books.size })}
        </Text>
        {forms.map((name) => (
          <Button key={name} size="compact-sm" variant="default" onClick={() => setOpen(name)}>
            {t(`bulk.${name}`)}
          </Button>
        ))}
        {(["archive", "restore"] as const).map((type) => (
          <Button
            key={type}
            size="compact-sm"
            variant="default"
            loading={isPending}
            onClick={() => carryOut({ type })}
          >
            {t(`bulk.${type}`)}
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" onClick={clear}>
          {t("bulk.clear")}
        </Button>
      </Group>
      {forms.map((name) => {
        const Form = FORMS[name];
        const close = () => setOpen(undefined);
        return (
          <FormDialog key={name} title={t(`bulk.${name}`)} isOpen={open === name} close={close}>
            <Form books={books} clear={clear} close={close} />
          </FormDialog>
        );
      })}
    </Paper>
  );
}
