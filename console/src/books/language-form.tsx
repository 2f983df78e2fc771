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
import { useForm } from "@mantine/form";
import { useTexts } from "../messages/index.tsx";
import { DialogForm } from "../shell/form-dialog.tsx";
import { useNotifyProblem, useShowProblem } from "../shell/problems.tsx";
import { LanguageCover } from "./cover.tsx";
import { languageMessages } from "./language-messages.ts";
import type { LanguageOfBook } from "./language-rows.ts";
import { readList } from "./lists.ts";
import { putTranslation, removeCover, sendCover, useBookChange } from "./queries.ts";

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
              <Button size="compact-md" variant="default" loading={replace.isPending} {...props}>
                {t.translation.chooseCover}
              </Button>
            )}
          </FileButton>
          {coverVersion !== undefined && (
            <Button
              size="compact-md"
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

function TranslationForm({ bookId, language, close }: Omit<LanguageFormProps, "name">) {
  const { t } = useTexts(languageMessages);
  const { code, translation } = language;
  const form = useForm({
    initialValues: {
      title: translation?.title ?? "",
      description: translation?.description ?? "",
      authors: translation?.authors.join(", ") ?? "",
      publisher: translation?.publisher ?? "",
      license: translation?.license ?? "",
      isbn: translation?.isbn ?? "",
    },
  });
  const showProblem = useShowProblem(form);
  const save = useBookChange(putTranslation.bind(undefined, bookId));
  const submit = form.onSubmit(({ authors, publisher, license, isbn, ...texts }) =>
    save.mutate(
      {
        languageCode: code,
        ...texts,
        authors: readList(authors),
        publisher: publisher || null,
        license: license || null,
        isbn: isbn || null,
      },
      { onSuccess: close, onError: showProblem },
    ),
  );
  const inLanguage = { lang: code, dir: "auto" } as const;
  return (
    <DialogForm onSubmit={submit} close={close} action={t.save} isPending={save.isPending}>
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
