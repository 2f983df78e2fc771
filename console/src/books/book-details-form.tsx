/** The fields of a book that don't depend on a language. */
import { Button, Group, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useHotkeys } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { LeaveDialog } from "../shell/leave-dialog.tsx";
import { useShowProblem } from "../shell/problems.tsx";
import { languageMessages } from "./language-messages.ts";
import { readList } from "./lists.ts";
import { booksMessages } from "./messages.ts";
import { updateBook, useBookChange } from "./queries.ts";

type Book = Schemas["Book"];

const readFields = (book: Book) => ({
  titleEn: book.titleEn,
  description: book.description ?? "",
  slug: book.slug,
  authors: book.authors.join(", "),
  tags: book.tags.join(", "),
  series: book.series?.name ?? "",
  position: book.series?.position ?? "",
});

type Fields = ReturnType<typeof readFields> & { position: number | string };

/** Only what differs from the book: fields that a colleague changes meanwhile stay. */
function findChanges(book: Book, fields: Fields): Schemas["BookUpdate"] {
  const before = readFields(book);
  const isChanged = (name: keyof Fields) => fields[name] !== before[name];
  return {
    ...(isChanged("titleEn") && { titleEn: fields.titleEn }),
    ...(isChanged("description") && { description: fields.description }),
    ...(isChanged("slug") && { slug: fields.slug }),
    ...(isChanged("authors") && { authors: readList(fields.authors) }),
    ...(isChanged("tags") && { tags: readList(fields.tags) }),
    ...((isChanged("series") || isChanged("position")) && { series: readSeries(fields) }),
  };
}

const readSeries = ({ series, position }: Fields) =>
  series.trim() === "" ? null : { name: series, position: typeof position === "number" ? position : null };

interface DetailsFormProps {
  book: Book;
  canEdit: boolean;
  /** To the next book of the list, if there is one. */
  goToNext: (() => void) | undefined;
}

export function BookDetailsForm({ book, canEdit, goToNext }: DetailsFormProps) {
  const { t } = useTexts(booksMessages);
  const { neighbours } = useTexts(languageMessages).t;
  const form = useForm<Fields>({ initialValues: readFields(book) });
  const showProblem = useShowProblem(form);
  const save = useBookChange((changes: Schemas["BookUpdate"]) => updateBook(book.id, changes));
  const isDirty = form.isDirty();
  const saveThen = (proceed?: () => void) =>
    form.onSubmit((fields) => {
      save.mutate(findChanges(book, fields), {
        onSuccess({ book: saved }) {
          form.setInitialValues(readFields(saved));
          form.setValues(readFields(saved));
          notifications.show({ message: t.saved });
          // Only then is nothing unsaved.
          if (proceed) setTimeout(proceed);
        },
        onError: showProblem,
      });
    });
  const submit = saveThen();
  useHotkeys([["mod+S", () => submit()]], []);
  const text = (name: Exclude<keyof Fields, "position">) => ({
    readOnly: !canEdit,
    dir: "auto" as const,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit} aria-label={t.book.details}>
      <Stack>
        <TextInput
          label={t.book.titleField}
          required
          withAsterisk={false}
          maxLength={500}
          {...text("titleEn")}
        />
        <Textarea label={t.description} autosize minRows={3} maxRows={12} {...text("description")} />
        <TextInput label={t.book.authors} description={t.book.listHint} {...text("authors")} />
        <TextInput label={t.book.tags} description={t.book.listHint} {...text("tags")} />
        <Group align="end">
          <TextInput label={t.book.series} flex={1} {...text("series")} />
          <NumberInput
            label={t.book.seriesPosition}
            min={0}
            hideControls
            w={160}
            readOnly={!canEdit}
            {...form.getInputProps("position")}
          />
        </Group>
        <TextInput label={t.book.slug} description={t.book.slugHint} {...text("slug")} dir="ltr" />
        {canEdit && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!isDirty}>
              {t.save}
            </Button>
            {goToNext && (
              <Button
                variant="default"
                loading={save.isPending}
                onClick={() => (isDirty ? saveThen(goToNext)() : goToNext())}
              >
                {neighbours.saveAndNext}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <LeaveDialog isDirty={isDirty && !save.isPending} />
    </form>
  );
}
