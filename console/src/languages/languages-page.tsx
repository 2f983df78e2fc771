/** The languages and sub-languages of the catalogue. */
import { Anchor, Badge, Button, Checkbox, Group, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useJoinedSave } from "../shell/joined-save.tsx";
import { Loaded } from "../shell/loaded.tsx";
import numbers from "../shell/numbers.module.css";
import { PermittedPage } from "../shell/page.tsx";
import { AddLanguageButton } from "./add-language.tsx";
import { languagesQuery, updateLanguage } from "./queries.ts";
import { SubLanguageBooks } from "./sub-language-books.tsx";

type Language = Schemas["ListedLanguage"];

export default function LanguagesPage() {
  const { t } = useTexts("languages");
  const query = useQuery(languagesQuery);
  const canEdit = usePermission("edit_languages");
  return (
    <PermittedPage
      permission="view_languages"
      title={t("languages.title")}
      actions={canEdit && <AddLanguageButton />}
    >
      <Loaded
        query={query}
        empty={{ when: ({ languages }) => languages.length === 0, text: t("languages.empty") }}
      >
        {({ languages }) => <LanguageTable languages={languages} canEdit={canEdit} />}
      </Loaded>
    </PermittedPage>
  );
}

function LanguageTable({ languages, canEdit }: { languages: Language[]; canEdit: boolean }) {
  const { t } = useTexts("languages");
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("languages.language")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("languages.parent")}</Table.Th>
            <Table.Th visibleFrom="md">{t("languages.domain")}</Table.Th>
            <Table.Th visibleFrom="sm" className={numbers.number}>
              {t("languages.books")}
            </Table.Th>
            <Table.Th visibleFrom="sm" className={numbers.number}>
              {t("languages.files")}
            </Table.Th>
            <Table.Th>{t("state")}</Table.Th>
            {canEdit && <Table.Th>{t("edit")}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {languages.map((language) => (
            <LanguageRow key={language.id} language={language} languages={languages} canEdit={canEdit} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  language: Language;
  languages: Language[];
  canEdit: boolean;
}

function LanguageRow({ language, languages, canEdit }: RowProps) {
  const { t, nameLanguage, formatNumber } = useTexts("languages");
  const [isOpen, { open, close }] = useDisclosure(false);
  const parent = languages.find(({ id }) => id === language.parentId);
  const name = nameLanguage(language);
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          <bdi lang={language.code}>{language.nativeName}</bdi> · <bdi dir="ltr">{language.code}</bdi>
        </Text>
        {parent && (
          <Text size="sm" c="dimmed" hiddenFrom="sm">
            {t("languages.parent")}: {nameLanguage(parent)}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">{parent && nameLanguage(parent)}</Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: "anywhere" }}>
        {language.customDomain}
      </Table.Td>
      <Table.Td visibleFrom="sm" className={numbers.number}>
        <BooksLink language={language} name={name} />
      </Table.Td>
      <Table.Td visibleFrom="sm" className={numbers.number}>
        {formatNumber(language.filesCount)}
      </Table.Td>
      <Table.Td>
        <Badge variant="default" miw="max-content">
          {language.isActive ? t("active") : t("inactive")}
        </Badge>
      </Table.Td>
      {canEdit && (
        <Table.Td>
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={open} aria-label={t("editOf", { name })}>
              {t("edit")}
            </Button>
            {parent && <BooksButton language={language} name={name} />}
          </Group>
          <FormDialog title={name} isOpen={isOpen} close={close}>
            <EditLanguageForm language={language} languages={languages} close={close} />
          </FormDialog>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** To the books that have something in the language. */
function BooksLink({ language, name }: { language: Language; name: string }) {
  const { t, formatNumber } = useTexts("languages");
  const canView = usePermission("view_books");
  const count = formatNumber(language.booksCount);
  if (!canView || language.booksCount === 0) return count;
  return (
    <Anchor
      component={Link}
      to={`/books?${new URLSearchParams({ languageCode: language.code })}`}
      aria-label={t("languages.countOf", { count, language: name })}
    >
      {count}
    </Anchor>
  );
}

function BooksButton({ language, name }: { language: Language; name: string }) {
  const { t } = useTexts("languages");
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        onClick={open}
        aria-label={t("languages.booksOf", { language: name })}
      >
        {t("languages.books")}
      </Button>
      <FormDialog title={t("languages.booksOf", { language: name })} size="xl" isOpen={isOpen} close={close}>
        <SubLanguageBooks langId={language.id} />
      </FormDialog>
    </>
  );
}

const readFields = (language: Schemas["Language"]) => ({
  name: language.name,
  nativeName: language.nativeName,
  customDomain: language.customDomain ?? "",
  parentId: String(language.parentId ?? ""),
  isActive: language.isActive === 1,
});

type Fields = ReturnType<typeof readFields>;

const readStored = (language: Schemas["Language"]) => ({
  version: language.version,
  fields: readFields(language),
});

function useSave(language: Language, form: UseFormReturnType<Fields>) {
  const { t } = useTexts("languages");
  const queries = useQueryClient();
  return useJoinedSave({
    form,
    stored: readStored(language),
    labels: {
      name: t("languages.name"),
      nativeName: t("languages.nativeName"),
      customDomain: t("languages.domain"),
      parentId: t("languages.parent"),
      isActive: t("active"),
    },
    // Books show them, too.
    keys: ["languages", "books"],
    async read() {
      const { languages } = await queries.fetchQuery({ ...languagesQuery, staleTime: 0 });
      const now = languages.find(({ id }) => id === language.id);
      return now && readStored(now);
    },
    async save({ parentId, customDomain, ...fields }, { version }) {
      const links = {
        customDomain: customDomain || null,
        parentId: parentId === "" ? null : Number(parentId),
      };
      const saved = await updateLanguage(language.id, { ...fields, ...links }, version);
      return readStored(saved.language);
    },
  });
}

function EditLanguageForm({ language, languages, close }: Omit<RowProps, "canEdit"> & { close(): void }) {
  const { t, nameLanguage } = useTexts("languages");
  const form = useForm<Fields>({ initialValues: readFields(language) });
  const { store, isPending, notice } = useSave(language, form);
  const onSaved = (isAll: boolean) => {
    notifications.show({ message: t("saved") });
    if (isAll) close();
  };
  const submit = form.onSubmit((fields) => store(fields, onSaved));
  // A sub-language can't be a parent, and a parent can't be a sub-language.
  const isParent = languages.some(({ parentId }) => parentId === language.id);
  const parents = languages.filter(({ id, parentId }) => id !== language.id && parentId === null);
  return (
    <DialogForm onSubmit={submit} close={close} action={t("save")} isPending={isPending}>
      {notice(onSaved)}
      <TextInput
        label={t("languages.name")}
        required
        withAsterisk={false}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <TextInput
        label={t("languages.nativeName")}
        required
        withAsterisk={false}
        lang={language.code}
        dir="auto"
        {...form.getInputProps("nativeName")}
      />
      {!isParent && (
        <NativeSelect
          label={t("languages.parent")}
          description={t("languages.parentHint")}
          data={[
            { value: "", label: t("languages.noParent") },
            ...parents.map((each) => ({ value: String(each.id), label: nameLanguage(each) })),
          ]}
          {...form.getInputProps("parentId")}
        />
      )}
      <TextInput
        label={t("languages.domain")}
        description={t("languages.domainHint")}
        dir="ltr"
        {...form.getInputProps("customDomain")}
      />
      <Checkbox
        label={t("active")}
        description={t("languages.activeHint")}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </DialogForm>
  );
}
