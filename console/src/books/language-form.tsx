/** A language of a book: its translation, credits, cover, files and channels in one place. */
import { Group, SimpleGrid, Stack, Textarea, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem, type Schemas } from "../api/client.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Note } from "../ui/note.tsx";
import { ChannelChips } from "./channel-chips.tsx";
import { COVER_TYPES, LanguageCover } from "./cover.tsx";
import { FileList } from "./file-list.tsx";
import FormerList from "./former-list.tsx";
import type { UploadOfLanguage } from "./language-files.tsx";
import classes from "./language-form.module.css";
import type { LanguageOfBook } from "./language-rows.ts";
import { listContributors, listNames, PeopleFields } from "./people-fields.tsx";
import { bookQuery, putTranslation, removeTranslation, useBookChange } from "./queries.ts";
import { RemoveCoverButton } from "./remove-cover.tsx";
import { useCoverUpload } from "./use-cover-upload.ts";

interface LanguageFormProps {
  details: Schemas["BookDetails"];
  language: LanguageOfBook;
  /** Of the language. */
  name: string;
  upload: UploadOfLanguage;
  close(): void;
}

export default function LanguageForm({ details, language, name, upload, close }: LanguageFormProps) {
  const { t } = useTexts("books");
  const bookId = details.book.id;
  const { code, files, translation } = language;
  return (
    <div className={classes.columns}>
      <Stack>
        <TranslationForm bookId={bookId} language={language} close={close} />
        {translation && (
          <RemoveTranslationButton bookId={bookId} translation={translation} closeForm={close} />
        )}
      </Stack>
      <Stack gap="xl">
        <CoverOfLanguage bookId={bookId} language={language} name={name} />
        <Part title={t("words.files")}>
          <FileList bookId={bookId} files={files} language={name} upload={upload} />
        </Part>
        <Part title={t("rows.channels")}>
          <ChannelChips details={details} code={code} />
        </Part>
        <Part title={t("former.title")}>
          <FormerList details={details} code={code} />
        </Part>
      </Stack>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs" align="start">
      <Title order={3} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface OneLanguageProps {
  bookId: string;
  language: LanguageOfBook;
}

function CoverOfLanguage({ bookId, language, name }: OneLanguageProps & { name: string }) {
  const { t } = useTexts("books");
  const { code, coverVersion } = language;
  const upload = useCoverUpload(bookId, code);
  return (
    <Group align="start" wrap="nowrap">
      {coverVersion !== undefined && (
        <LanguageCover
          bookId={bookId}
          code={code}
          alt={t("translation.coverOf", { language: name })}
          version={coverVersion}
        />
      )}
      <Part title={t("translation.cover")}>
        <Note>{coverVersion === undefined ? t("translation.noCover") : t("cover.hint")}</Note>
        <Group gap="xs">
          <FileButton take={upload.take} accept={COVER_TYPES} size="compact-sm" loading={upload.isPending}>
            {t("cover.choose")}
          </FileButton>
          {coverVersion !== undefined && <RemoveCoverButton bookId={bookId} code={code} size="compact-sm" />}
        </Group>
      </Part>
    </Group>
  );
}

const readFields = (translation: Schemas["Translation"] | undefined) => ({
  title: translation?.title ?? "",
  description: translation?.description ?? "",
  authors: translation?.authors ?? [],
  contributors: translation?.contributors ?? [],
  publisher: translation?.publisher ?? "",
  license: translation?.license ?? "",
  isbn: translation?.isbn ?? "",
});

function useTranslationForm(bookId: string, { code, translation }: LanguageOfBook) {
  const { t } = useTexts("books");
  const queries = useQueryClient();
  const read = async () => {
    const { translations } = await queries.fetchQuery({ ...bookQuery(bookId), staleTime: 0 });
    return translations.find(({ languageCode }) => languageCode === code);
  };
  return useRecordForm({
    record: translation,
    fieldsOf: readFields,
    labels: {
      title: t("words.title"),
      description: t("description"),
      authors: t("people.authors.legend"),
      contributors: t("people.contributors.legend"),
      publisher: t("translation.publisher"),
      license: t("translation.license"),
      isbn: t("translation.isbn"),
    },
    keys: ["books"],
    read,
    async save({ publisher, license, isbn, ...texts }, { version }) {
      // The service would change one that somebody else has added meanwhile.
      if (version === undefined && (await read())) throw new Problem(412, {});
      const credits = {
        publisher: publisher || null,
        license: license || null,
        isbn: isbn || null,
      };
      return putTranslation(bookId, { languageCode: code, ...texts, ...credits }, version);
    },
  });
}

interface FormProps extends OneLanguageProps {
  close(): void;
}

function useSubmit({ bookId, language, close }: FormProps) {
  const { t } = useTexts("books");
  const { form, saving } = useTranslationForm(bookId, language);
  const onSaved = (isAll: boolean) => {
    if (isAll) close();
    else notifications.show({ message: t("saved") });
  };
  const submit = form.onSubmit((fields) => {
    // Lines that were left empty are dropped from the form, too: errors name lines by their indexes.
    const named = {
      ...fields,
      authors: listNames(fields.authors),
      contributors: listContributors(fields.contributors),
    };
    form.setValues(named);
    return saving.store(named, onSaved);
  });
  return { form, submit, isPending: saving.isPending, notice: saving.notice(onSaved) };
}

function TranslationForm({ bookId, language, close }: FormProps) {
  const { t } = useTexts("books");
  const { code } = language;
  const { form, submit, isPending, notice } = useSubmit({ bookId, language, close });
  const inLanguage = { lang: code, dir: "auto" } as const;
  return (
    <DialogForm onSubmit={submit} close={close} action={t("save")} isPending={isPending}>
      {notice}
      <TextInput
        label={t("words.title")}
        required
        maxLength={500}
        {...inLanguage}
        data-autofocus
        {...form.getInputProps("title")}
      />
      <Textarea
        label={t("description")}
        autosize
        minRows={3}
        maxRows={12}
        {...inLanguage}
        {...form.getInputProps("description")}
      />
      <PeopleFields
        form={form}
        people="authors"
        insert={() => form.insertListItem("authors", "")}
        description={t("people.authorsOfBook")}
        lang={code}
      />
      <PeopleFields
        form={form}
        people="contributors"
        insert={() => form.insertListItem("contributors", { name: "", role: "" })}
        description={t("people.contributorsHint")}
        lang={code}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t("translation.publisher")} {...inLanguage} {...form.getInputProps("publisher")} />
        <TextInput label={t("translation.license")} dir="auto" {...form.getInputProps("license")} />
      </SimpleGrid>
      <TextInput label={t("translation.isbn")} dir="ltr" maxLength={30} {...form.getInputProps("isbn")} />
    </DialogForm>
  );
}

interface RemoveTranslationProps {
  bookId: string;
  translation: Schemas["Translation"];
  /** Called when it is removed. */
  closeForm(): void;
}

/** Removes the translation of a book into a language after a question. */
function RemoveTranslationButton({ bookId, translation, closeForm }: RemoveTranslationProps) {
  const { t } = useTexts("books");
  const remove = useBookChange(async () => {
    await removeTranslation(bookId, translation);
    closeForm();
  });
  return (
    <Group>
      <ConfirmButton
        size="compact-sm"
        label={t("translation.remove")}
        hint={t("translation.removeHint")}
        action={t("remove")}
        run={() => remove.mutateAsync(undefined)}
        done={t("translation.removed")}
      />
    </Group>
  );
}
