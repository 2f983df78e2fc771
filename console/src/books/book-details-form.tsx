/** The fields of a book that don't depend on a language. */
import { Button, Group, Textarea, TextInput } from "@mantine/core";
import type { FormErrors, UseFormReturnType } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { isSame } from "../forms/join-changes.ts";
import type { OnSaved } from "../forms/joined-save.tsx";
import { NumberField } from "../forms/number-field.tsx";
import { PageForm, useRecordForm } from "../forms/record-form.tsx";
import { findBrowserZone } from "../messages/browser-zone.ts";
import { useTexts } from "../messages/index.tsx";
import { usePageActions } from "../ui/page-actions.ts";
import { fromLocalTime, toLocalTime } from "./local-time.ts";
import { listNames, PeopleFields } from "./people-fields.tsx";
import { bookQuery, updateBook } from "./queries.ts";
import { TagsField } from "./tags-field.tsx";

type Book = Schemas["Book"];

type Fields = DateValues & {
  titleEn: string;
  description: string;
  slug: string;
  authors: string[];
  tags: readonly string[];
  series: string;
  position: number | "";
};

const readFields = (book: Book): Fields => ({
  titleEn: book.titleEn,
  description: book.description ?? "",
  slug: book.slug,
  authors: book.authors,
  tags: book.tags,
  series: book.series?.name ?? "",
  position: book.series?.position ?? "",
  publishAt: toLocalTime(book.publishAt),
  unpublishAt: toLocalTime(book.unpublishAt),
});

/** Only what was changed. */
function findChanges(fields: Fields, before: Fields): Schemas["BookUpdate"] {
  const isChanged = (name: keyof Fields) => !isSame(fields[name], before[name]);
  return {
    ...(isChanged("titleEn") && { titleEn: fields.titleEn }),
    ...(isChanged("description") && { description: fields.description }),
    ...(isChanged("slug") && { slug: fields.slug }),
    ...(isChanged("authors") && { authors: fields.authors }),
    ...(isChanged("tags") && { tags: [...fields.tags] }),
    ...(isChanged("publishAt") && { publishAt: fromLocalTime(fields.publishAt) }),
    ...(isChanged("unpublishAt") && { unpublishAt: fromLocalTime(fields.unpublishAt) }),
    ...((isChanged("series") || isChanged("position")) && { series: readSeries(fields) }),
  };
}

const readSeries = ({ series, position }: Fields) =>
  series.trim() === "" ? null : { name: series, position: typeof position === "number" ? position : null };

/** Who removes a series can leave its number in the form. */
const isNumberOfNothing = ({ series, position }: Fields, book: Book) =>
  series.trim() === "" && position !== "" && position !== book.series?.position;

/** Of all tags, or of the first one with an error. */
const findTagsError = (errors: FormErrors) =>
  Object.entries(errors).find(([name]) => /^tags\b/.test(name))?.[1];

interface DetailsFormProps {
  book: Book;
  /** To the next book of the list, if there is one. */
  goToNext: (() => void) | undefined;
}

export function BookDetailsForm({ book, goToNext }: DetailsFormProps) {
  const { t } = useTexts("books");
  const { form, submit, submitAndGo, saves, isPending, notice } = useDetailsForm(book, goToNext);
  const isDirty = form.isDirty();
  const text = (name: "titleEn" | "description" | "series" | "slug") => ({
    dir: "auto" as const,
    ...form.getInputProps(name),
  });
  const tags = {
    value: form.values.tags,
    onChange: (changed: readonly string[]) => form.setFieldValue("tags", changed),
    error: findTagsError(form.errors),
    saves,
  };
  return (
    <PageForm
      {...{ form, submit, isPending }}
      label={t("words.details")}
      action={t("save")}
      further={
        goToNext && (
          <Button variant="default" loading={isPending} disabled={!isDirty} onClick={() => submitAndGo()}>
            {t("neighbours.saveAndNext")}
          </Button>
        )
      }
    >
      {notice}
      <TextInput label={t("words.title")} required maxLength={500} {...text("titleEn")} />
      <Textarea label={t("description")} autosize minRows={3} maxRows={12} {...text("description")} />
      <PeopleFields form={form} people="authors" insert={() => form.insertListItem("authors", "")} />
      <TagsField {...tags} />
      <Group align="end">
        <TextInput label={t("book.series")} flex={1} {...text("series")} />
        <NumberField label={t("book.seriesPosition")} min={0} w={160} {...form.getInputProps("position")} />
      </Group>
      <DateFields form={form} />
      <TextInput label={t("book.slug")} description={t("book.slugHint")} {...text("slug")} dir="ltr" />
    </PageForm>
  );
}

/** What saves the form: in place, and on the way to the next book. */
function useDetailsForm(book: Book, goToNext: (() => void) | undefined) {
  const { t } = useTexts("books");
  const { form, saving } = useBookForm(book);
  const [saves, setSaves] = useState(0);
  const saySaved = () => {
    // A tag that is being typed isn't finished.
    if (!form.isDirty("tags")) setSaves((count) => count + 1);
    notifications.show({ message: t("saved") });
  };
  /** Lines that were left empty are dropped from the form, too: errors name lines by their indexes. */
  const storeNames = (fields: Fields, onSaved: OnSaved) => {
    const named = { ...fields, authors: listNames(fields.authors) };
    form.setValues(named);
    return saving.store(named, onSaved);
  };
  const submit = form.onSubmit((fields) => storeNames(fields, saySaved));
  const submitAndGo = form.onSubmit((fields) =>
    storeNames(fields, (isAll) => {
      saySaved();
      if (isAll) goToNext?.();
    }),
  );
  usePageActions([
    { label: t("save"), run: () => submit() },
    ...(goToNext ? [{ label: t("neighbours.saveAndNext"), run: () => submitAndGo() }] : []),
  ]);
  const { isPending, notice } = saving;
  return { form, submit, submitAndGo, saves, isPending, notice: notice(saySaved) };
}

function useBookForm(book: Book) {
  const { t } = useTexts("books");
  const queries = useQueryClient();
  return useRecordForm({
    record: book,
    fieldsOf: readFields,
    validate: { series: (_, fields) => (isNumberOfNothing(fields, book) ? t("book.seriesMissing") : null) },
    labels: {
      titleEn: t("words.title"),
      description: t("description"),
      slug: t("book.slug"),
      authors: t("people.authors.legend"),
      tags: t("book.tags"),
      series: t("book.series"),
      position: t("book.seriesPosition"),
      publishAt: t("bookDates.publishAt"),
      unpublishAt: t("bookDates.unpublishAt"),
    },
    keys: ["books"],
    read: async () => (await queries.fetchQuery({ ...bookQuery(book.id), staleTime: 0 })).book,
    save: async (fields, { version, fields: before }) =>
      (await updateBook(book.id, findChanges(fields, before), version)).book,
  });
}

/** As the fields have them: local times, empty for none. */
type DateValues = { publishAt: string; unpublishAt: string };

/** The fields of the dates from which and until which readers get a book. */
function DateFields<F extends DateValues>({ form }: { form: UseFormReturnType<F> }) {
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
