/** A language of a book: its translation, its credits and its cover in one place. */
import {
  Button,
  FileButton,
  Group,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm } from "../shell/form-dialog.tsx";
import { useJoinedSave } from "../shell/joined-save.tsx";
import { useNotifyProblem } from "../shell/problems.tsx";
import { LanguageCover } from "./cover.tsx";
import { languageMessages } from "./language-messages.ts";
import type { LanguageOfBook } from "./language-rows.ts";
import { readList } from "./lists.ts";
import { bookQuery, putTranslation, removeCover, sendCover, useBookChange } from "./queries.ts";

interface LanguageFormProps {
  bookId: string;
  language: LanguageOfBook;
  /** Of the language. */
  name: string;
  close(): void;
}

export function LanguageForm({ bookId, language, name, close }: LanguageFormProps) {
  return (
    <Stack>
      <CoverOfLanguage bookId={bookId} language={language} name={name} />
      <TranslationForm bookId={bookId} language={language} close={close} />
    </Stack>
  );
}

function CoverOfLanguage({ bookId, language, name }: Omit<LanguageFormProps, "close">) {
  const { t } = useTexts(languageMessages);
  const notifyProblem = useNotifyProblem();
  const { code, coverVersion } = language;
  const replace = useBookChange((file: File) => sendCover(bookId, code, file));
  const remove = useBookChange(() => removeCover(bookId, code));
  return (
    <Group align="start" wrap="nowrap">
      {coverVersion !== undefined && (
        <LanguageCover bookId={bookId} code={code} alt={t.translation.coverOf(name)} version={coverVersion} />
      )}
      <Stack gap="xs" align="start">
        <Title order={3} size="h5">
          {t.translation.cover}
        </Title>
        <Text size="sm" c="dimmed">
          {coverVersion === undefined ? t.translation.noCover : t.translation.coverHint}
        </Text>
        <Group gap="xs">
          <FileButton
            onChange={(file) => file && replace.mutate(file, { onError: notifyProblem })}
            accept="image/jpeg,image/png,image/webp"
          >
            {(props) => (
              <Button size="compact-sm" variant="default" loading={replace.isPending} {...props}>
                {t.translation.chooseCover}
              </Button>
            )}
          </FileButton>
          {coverVersion !== undefined && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate(undefined, { onError: notifyProblem })}
            >
              {t.translation.removeCover}
            </Button>
          )}
        </Group>
      </Stack>
    </Group>
  );
}

const readFields = (translation: Schemas["Translation"] | undefined) => ({
  title: translation?.title ?? "",
  description: translation?.description ?? "",
  authors: translation?.authors.join(", ") ?? "",
  publisher: translation?.publisher ?? "",
  license: translation?.license ?? "",
  isbn: translation?.isbn ?? "",
});

type Fields = ReturnType<typeof readFields>;

const readStored = (translation: Schemas["Translation"] | undefined) => ({
  version: translation?.version,
  fields: readFields(translation),
});

function useSave(bookId: string, language: LanguageOfBook, form: UseFormReturnType<Fields>) {
  const { t } = useTexts(languageMessages);
  const queries = useQueryClient();
  const { code, translation } = language;
  return useJoinedSave({
    form,
    stored: readStored(translation),
    labels: {
      title: t.translation.title,
      description: t.description,
      authors: t.translation.authors,
      publisher: t.translation.publisher,
      license: t.translation.license,
      isbn: t.translation.isbn,
    },
    keys: ["books"],
    async read() {
      const { translations } = await queries.fetchQuery({ ...bookQuery(bookId), staleTime: 0 });
      const now = translations.find(({ languageCode }) => languageCode === code);
      return now && readStored(now);
    },
    async save({ authors, publisher, license, isbn, ...texts }, { version }) {
      const credits = {
        authors: readList(authors),
        publisher: publisher || null,
        license: license || null,
        isbn: isbn || null,
      };
      return readStored(await putTranslation(bookId, { languageCode: code, ...texts, ...credits }, version));
    },
  });
}

function TranslationForm({ bookId, language, close }: Omit<LanguageFormProps, "name">) {
  const { t } = useTexts(languageMessages);
  const { code, translation } = language;
  const form = useForm<Fields>({ initialValues: readFields(translation) });
  const { store, isPending, notice } = useSave(bookId, language, form);
  const submit = form.onSubmit((fields) => store(fields, close));
  const inLanguage = { lang: code, dir: "auto" } as const;
  return (
    <DialogForm onSubmit={submit} close={close} action={t.save} isPending={isPending}>
      {notice(close)}
      <TextInput
        label={t.translation.title}
        required
        withAsterisk={false}
        maxLength={500}
        {...inLanguage}
        data-autofocus
        {...form.getInputProps("title")}
      />
      <Textarea
        label={t.description}
        autosize
        minRows={3}
        maxRows={12}
        {...inLanguage}
        {...form.getInputProps("description")}
      />
      <TextInput
        label={t.translation.authors}
        description={t.translation.listHint}
        {...inLanguage}
        {...form.getInputProps("authors")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t.translation.publisher} {...inLanguage} {...form.getInputProps("publisher")} />
        <TextInput label={t.translation.license} dir="auto" {...form.getInputProps("license")} />
      </SimpleGrid>
      <TextInput label={t.translation.isbn} dir="ltr" maxLength={30} {...form.getInputProps("isbn")} />
    </DialogForm>
  );
}
