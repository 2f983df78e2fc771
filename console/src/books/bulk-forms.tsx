/** The changes of many books that need an input: each shows first what would change, and changes it then. */
import { Alert, List, NativeSelect, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { channelsQuery } from "../channels/queries.ts";
import { DialogForm } from "../forms/form-dialog.tsx";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { useDescribeReason, useNotifyProblem } from "../ui/problems.tsx";
import { runBookAction } from "./queries.ts";
import { TagsField } from "./tags-field.tsx";
import type { SelectedBooks } from "./undo-books.ts";
import { type Action, countWith, type Results, useBulkAction } from "./use-bulk-action.ts";

interface BulkFormProps {
  books: SelectedBooks;
  clear(): void;
  close(): void;
}

interface ActionFormProps<Values> extends BulkFormProps {
  initialValues: Values;
  readAction(values: Values): Action;
  children(form: UseFormReturnType<Values>): ReactNode;
}

function ActionForm<Values extends object>(props: ActionFormProps<Values>) {
  const { books, clear, close, initialValues, readAction, children } = props;
  const { t } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const [preview, setPreview] = useState<Results>();
  const form = useForm<Values>({ initialValues, onValuesChange: () => setPreview(undefined) });
  const { carryOut, isPending } = useBulkAction(books, clear);
  const look = useMutation({
    mutationFn: (action: Action) => runBookAction({ bookIds: [...books.keys()], action, dryRun: true }),
  });
  const submit = form.onSubmit((values) => {
    const action = readAction(values);
    if (preview) carryOut(action, close);
    else look.mutate(action, { onSuccess: ({ results }) => setPreview(results), onError: notifyProblem });
  });
  return (
    <DialogForm
      onSubmit={submit}
      close={close}
      action={preview ? t("bulk.apply") : t("bulk.preview")}
      isPending={isPending || look.isPending}
      isDisabled={preview !== undefined && countWith(preview, "changed") === 0}
    >
      {children(form)}
      {preview && <Preview results={preview} books={books} />}
    </DialogForm>
  );
}

/** So many reasons are read; more would hide the form. */
const SHOWN_FAILURES = 5;

function Preview({ results, books }: { results: Results; books: SelectedBooks }) {
  const { t } = useTexts("books");
  const describe = useDescribeReason();
  const failed = results.filter(({ status }) => status === "failed");
  return (
    <>
      <Text role="status">
        {t("bulk.willChange", {
          changed: countWith(results, "changed"),
          others: countWith(results, "unchanged"),
        })}
      </Text>
      {failed.length > 0 && (
        <Alert variant="default" title={t("bulk.cannot", { count: failed.length })}>
          <List size="sm">
            {failed.slice(0, SHOWN_FAILURES).map(({ bookId, code = "", error = "" }) => (
              <List.Item key={bookId}>
                <bdi>{books.get(bookId)}</bdi>: {describe({ code, message: error })}
              </List.Item>
            ))}
            {failed.length > SHOWN_FAILURES && (
              <List.Item>{t("bulk.others", { count: failed.length - SHOWN_FAILURES })}</List.Item>
            )}
          </List>
        </Alert>
      )}
    </>
  );
}

const NO_TAGS: { type: string; tags: readonly string[] } = { type: "addTags", tags: [] };

export function TagsForm(props: BulkFormProps) {
  const { t } = useTexts("books");
  return (
    <ActionForm
      {...props}
      initialValues={NO_TAGS}
      readAction={({ type, tags }) => ({
        type: type === "removeTags" ? "removeTags" : "addTags",
        tags: [...tags],
      })}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t("bulk.what")}
            data={[
              { value: "addTags", label: t("bulk.addTags") },
              { value: "removeTags", label: t("bulk.removeTags") },
            ]}
            {...form.getInputProps("type")}
          />
          <TagsField
            required
            value={form.values.tags}
            onChange={(tags) => form.setFieldValue("tags", tags)}
          />
        </>
      )}
    </ActionForm>
  );
}

export function SeriesForm(props: BulkFormProps) {
  const { t } = useTexts("books");
  return (
    <ActionForm
      {...props}
      initialValues={{ series: "" }}
      readAction={({ series }) => ({
        type: "setSeries",
        series: series.trim() === "" ? null : { name: series.trim() },
      })}
    >
      {(form) => (
        <TextInput
          label={t("book.series")}
          description={t("bulk.seriesHint")}
          maxLength={300}
          dir="auto"
          data-autofocus
          {...form.getInputProps("series")}
        />
      )}
    </ActionForm>
  );
}

export function PublishForm(props: BulkFormProps) {
  const { t } = useTexts("books");
  const channels = useQuery(channelsQuery);
  const languages = useQuery(languagesQuery);
  return (
    <Loaded
      query={channels}
      empty={{ when: (data) => data.channels.length === 0, text: t("bulk.noChannel") }}
    >
      {(known) => (
        <Loaded
          query={languages}
          empty={{ when: (data) => data.languages.length === 0, text: t("bulk.noLanguage") }}
        >
          {(data) => <PlaceForm {...props} channels={known.channels} languages={data.languages} />}
        </Loaded>
      )}
    </Loaded>
  );
}

interface PlaceFormProps extends BulkFormProps {
  channels: readonly { id: string; name: string }[];
  languages: readonly { code: string; name: string }[];
}

function PlaceForm({ channels, languages, ...props }: PlaceFormProps) {
  const { t, nameLanguage } = useTexts("books");
  return (
    <ActionForm
      {...props}
      initialValues={{
        type: "publish",
        channelId: channels[0]?.id ?? "",
        languageCode: languages[0]?.code ?? "",
      }}
      readAction={({ type, channelId, languageCode }) => ({
        type: type === "unpublish" ? "unpublish" : "publish",
        channelId,
        languageCode,
      })}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t("bulk.what")}
            description={t("bulk.publishHint")}
            data={[
              { value: "publish", label: t("bulk.putOn") },
              { value: "unpublish", label: t("bulk.takeOff") },
            ]}
            data-autofocus
            {...form.getInputProps("type")}
          />
          <NativeSelect
            label={t("words.channel")}
            data={channels.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps("channelId")}
          />
          <NativeSelect
            label={t("words.language")}
            data={languages.map((each) => ({ value: each.code, label: nameLanguage(each) }))}
            {...form.getInputProps("languageCode")}
          />
        </>
      )}
    </ActionForm>
  );
}
