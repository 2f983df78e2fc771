/** What can be done with the selected books at once: archive, restore, and tags, each with an undo. */
import { Button, Group, NativeSelect, Paper, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { readList } from "./lists.ts";
import { booksMessages } from "./messages.ts";
import { restoreBefore, runBookAction, useBookChange } from "./queries.ts";

type Action = Schemas["BookActionRequest"]["action"];
type Results = Schemas["BookActionResponse"]["results"];

const countChanged = (results: Results): number =>
  results.filter(({ status }) => status === "changed").length;

/** A function that carries out an action and shows its result with an undo. */
function useBulkAction(bookIds: readonly string[], clear: () => void) {
  const { t } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const run = useBookChange((action: Action) => runBookAction({ bookIds: [...bookIds], action }));
  const undo = useBookChange(restoreBefore);
  const show = (results: Results) => {
    const failed = results.filter(({ status }) => status === "failed").length;
    const id = notifications.show({
      autoClose: 15_000,
      message: (
        <Group justify="space-between">
          {failed === 0
            ? t.bulk.done(countChanged(results))
            : t.bulk.doneInPart(countChanged(results), failed)}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              undo.mutate(results, { onError: notifyProblem });
            }}
          >
            {t.undo}
          </Button>
        </Group>
      ),
    });
  };
  const carryOut = (action: Action, onSuccess?: () => void) =>
    run.mutate(action, {
      onSuccess({ results }) {
        show(results);
        clear();
        onSuccess?.();
      },
      onError: notifyProblem,
    });
  return { carryOut, isPending: run.isPending };
}

export function BulkActions({ bookIds, clear }: { bookIds: readonly string[]; clear(): void }) {
  const { t } = useTexts(booksMessages);
  const [isTagging, tagging] = useDisclosure(false);
  const { carryOut, isPending } = useBulkAction(bookIds, clear);
  return (
    <Paper withBorder p="sm" component="section" aria-label={t.bulk.title}>
      <Group>
        <Text role="status" fw={500}>
          {t.bulk.selected(bookIds.length)}
        </Text>
        <Button size="compact-md" variant="default" onClick={tagging.open}>
          {t.bulk.tags}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          loading={isPending}
          onClick={() => carryOut({ type: "archive" })}
        >
          {t.book.archive}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          loading={isPending}
          onClick={() => carryOut({ type: "restore" })}
        >
          {t.book.restore}
        </Button>
        <Button size="compact-md" variant="subtle" onClick={clear}>
          {t.bulk.clear}
        </Button>
      </Group>
      <FormDialog title={t.bulk.tags} isOpen={isTagging} close={tagging.close}>
        <TagsForm bookIds={bookIds} clear={clear} close={tagging.close} />
      </FormDialog>
    </Paper>
  );
}

interface TagsFormProps {
  bookIds: readonly string[];
  clear(): void;
  close(): void;
}

/** Shows first how many books would change, and changes them then. */
function TagsForm({ bookIds, clear, close }: TagsFormProps) {
  const { t } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const [preview, setPreview] = useState<Results>();
  const form = useForm({
    initialValues: { type: "addTags", tags: "" },
    onValuesChange: () => setPreview(undefined),
  });
  const { carryOut, isPending } = useBulkAction(bookIds, clear);
  const look = useBookChange((action: Action) =>
    runBookAction({ bookIds: [...bookIds], action, dryRun: true }),
  );
  const submit = form.onSubmit(({ type, tags }) => {
    const action: Action = { type: type === "removeTags" ? "removeTags" : "addTags", tags: readList(tags) };
    if (preview) carryOut(action, close);
    else look.mutate(action, { onSuccess: ({ results }) => setPreview(results), onError: notifyProblem });
  });
  return (
    <DialogForm
      onSubmit={submit}
      close={close}
      action={preview ? t.bulk.apply : t.bulk.preview}
      isPending={isPending || look.isPending}
    >
      <NativeSelect
        label={t.bulk.what}
        data={[
          { value: "addTags", label: t.bulk.addTags },
          { value: "removeTags", label: t.bulk.removeTags },
        ]}
        {...form.getInputProps("type")}
      />
      <TextInput
        label={t.book.tags}
        description={t.book.listHint}
        required
        withAsterisk={false}
        dir="auto"
        data-autofocus
        {...form.getInputProps("tags")}
      />
      {preview && (
        <Text role="status">
          {t.bulk.willChange(countChanged(preview), preview.length - countChanged(preview))}
        </Text>
      )}
    </DialogForm>
  );
}
