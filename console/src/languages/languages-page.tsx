/** The languages and sub-languages of the catalogue. */
import { Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { BooksCount } from "../books/books-count.tsx";
import { DialogButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useHasMail, usePermission } from "../session/session.ts";
import { ActiveBadge } from "../ui/active-badge.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { AddLanguageButton } from "./add-language.tsx";
import { languagesQuery, updateLanguage } from "./queries.ts";
import { SubLanguageBooks } from "./sub-language-books.tsx";

type Language = Schemas["ListedLanguage"];

export default function LanguagesPage() {
  const { t } = useTexts("languages");
  const canEdit = usePermission("edit_languages");
  return (
    <PermittedPage
      permission="view_languages"
      title={t("nav.languages")}
      actions={canEdit && <AddLanguageButton />}
    >
      <LanguageTable canEdit={canEdit} />
    </PermittedPage>
  );
}

function LanguageTable({ canEdit }: { canEdit: boolean }) {
  const { t, nameLanguage, formatNumber } = useTexts("languages");
  const query = useQuery(languagesQuery);
  const all = query.data?.languages ?? [];
  const nameParent = ({ parentId }: Language) => {
    const parent = all.find(({ id }) => id === parentId);
    return parent && nameLanguage(parent);
  };
  return (
    <LoadedTable
      query={query}
      rowsOf={({ languages }) => languages}
      empty={t("languages.empty")}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t("words.language"),
          cell: (each) => <NameCell language={each} parent={nameParent(each)} />,
        },
        { head: t("languages.parent"), from: "sm", cell: nameParent },
        {
          head: t("languages.domain"),
          from: "md",
          cell: ({ customDomain }) => <span style={{ overflowWrap: "anywhere" }}>{customDomain}</span>,
        },
        {
          head: t("words.books"),
          from: "sm",
          isNumber: true,
          cell: (each) => (
            <BooksCount
              count={each.booksCount}
              filter={{ languageCode: each.code }}
              nameLink={(count) => t("languages.countOf", { count, language: nameLanguage(each) })}
            />
          ),
        },
        {
          head: t("words.files"),
          from: "sm",
          isNumber: true,
          cell: ({ filesCount }) => formatNumber(filesCount),
        },
        { head: t("state"), cell: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
        canEdit && {
          head: t("edit"),
          cell: (each) => <Actions language={each} languages={all} isSub={nameParent(each) !== undefined} />,
        },
      ]}
    />
  );
}

interface LanguageProps {
  language: Language;
}

function NameCell({ language, parent }: LanguageProps & { parent: string | undefined }) {
  const { t, nameLanguage } = useTexts("languages");
  return (
    <>
      <Text fw={500}>{nameLanguage(language)}</Text>
      <Note>
        <bdi lang={language.code}>{language.nativeName}</bdi> · <bdi dir="ltr">{language.code}</bdi>
      </Note>
      {parent !== undefined && (
        <Note hiddenFrom="sm">
          {t("languages.parent")}: {parent}
        </Note>
      )}
    </>
  );
}

function Actions({ language, languages, isSub }: LanguageProps & { languages: Language[]; isSub: boolean }) {
  const { t, nameLanguage } = useTexts("languages");
  const name = nameLanguage(language);
  return (
    <Group gap="xs">
      <DialogButton size="compact-sm" label={t("edit")} name={t("editOf", { name })} title={name}>
        {(close) => <EditLanguageForm language={language} languages={languages} close={close} />}
      </DialogButton>
      {isSub && (
        <DialogButton
          size="compact-sm"
          label={t("words.books")}
          name={t("languages.booksOf", { language: name })}
          dialog={{ size: "xl" }}
        >
          {() => <SubLanguageBooks langId={language.id} />}
        </DialogButton>
      )}
    </Group>
  );
}

const RULES = ["off", "optional", "required"] as const;

const readFields = (language: Schemas["Language"]) => ({
  name: language.name,
  nativeName: language.nativeName,
  customDomain: language.customDomain ?? "",
  parentId: String(language.parentId ?? ""),
  isActive: language.isActive === 1,
  emailConfirmation: language.emailConfirmation ?? "",
});

type Fields = ReturnType<typeof readFields>;

interface FormProps extends LanguageProps {
  languages: Language[];
  close(): void;
}

function useLanguageForm(language: Language, close: () => void) {
  const { t } = useTexts("languages");
  const queries = useQueryClient();
  return useRecordForm({
    record: language,
    fieldsOf: readFields,
    labels: {
      name: t("languages.name"),
      nativeName: t("languages.nativeName"),
      customDomain: t("languages.domain"),
      parentId: t("languages.parent"),
      isActive: t("active"),
      emailConfirmation: t("languages.confirmation"),
    },
    // Books show them, too.
    keys: ["languages", "books"],
    async read() {
      const { languages } = await queries.fetchQuery({ ...languagesQuery, staleTime: 0 });
      return languages.find(({ id }) => id === language.id);
    },
    async save({ parentId, customDomain, emailConfirmation, ...fields }, { version }) {
      const links = {
        emailConfirmation: RULES.find((rule) => rule === emailConfirmation) ?? null,
        customDomain: customDomain || null,
        parentId: parentId === "" ? null : Number(parentId),
      };
      return (await updateLanguage(language.id, { ...fields, ...links }, version)).language;
    },
    close,
  });
}

function EditLanguageForm({ language, languages, close }: FormProps) {
  const { t } = useTexts("languages");
  const { form, submit, isPending, notice } = useLanguageForm(language, close);
  return (
    <DialogForm onSubmit={submit} close={close} action={t("save")} isPending={isPending}>
      {notice}
      <TextInput label={t("languages.name")} required data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label={t("languages.nativeName")}
        required
        lang={language.code}
        dir="auto"
        {...form.getInputProps("nativeName")}
      />
      <ParentField form={form} {...{ language, languages }} />
      <TextInput
        label={t("languages.domain")}
        description={t("languages.domainHint")}
        dir="ltr"
        {...form.getInputProps("customDomain")}
      />
      <ConfirmationField form={form} />
      <Checkbox
        label={t("active")}
        description={t("languages.activeHint")}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </DialogForm>
  );
}

interface ParentProps extends Omit<FormProps, "close"> {
  form: UseFormReturnType<Fields>;
}

/** A sub-language can't be a parent, and a parent can't be a sub-language. */
function ParentField({ form, language, languages }: ParentProps) {
  const { t, nameLanguage } = useTexts("languages");
  if (languages.some(({ parentId }) => parentId === language.id)) return null;
  const parents = languages.filter(({ id, parentId }) => id !== language.id && parentId === null);
  return (
    <NativeSelect
      label={t("languages.parent")}
      description={t("languages.parentHint")}
      data={[
        { value: "", label: t("languages.noParent") },
        ...parents.map((each) => ({ value: String(each.id), label: nameLanguage(each) })),
      ]}
      {...form.getInputProps("parentId")}
    />
  );
}

function ConfirmationField({ form }: Pick<ParentProps, "form">) {
  const { t } = useTexts("languages");
  if (!useHasMail()) return null;
  return (
    <NativeSelect
      label={t("languages.confirmation")}
      description={t("languages.confirmationHint")}
      data={[
        { value: "", label: t("languages.confirmations.setting") },
        ...RULES.map((rule) => ({ value: rule, label: t(`languages.confirmations.${rule}`) })),
      ]}
      {...form.getInputProps("emailConfirmation")}
    />
  );
}
