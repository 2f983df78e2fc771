/** The languages of a book as rows: the title, the files, and a place for another file. */
import {
  Badge,
  Button,
  FileButton,
  Group,
  NativeSelect,
  Progress,
  Stack,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { useNotifyProblem, useShowProblem } from "../shell/problems.tsx";
import classes from "./book-languages.module.css";
import { booksMessages } from "./messages.ts";
import { putTranslation, removeFile, sendFile, useBookChange } from "./queries.ts";

interface LanguageOfBook {
  code: string;
  translation: Schemas["Translation"] | undefined;
  files: Schemas["BookFile"][];
}

/** The languages that have a translation or an active file, by their codes. */
export function groupByLanguage({ translations, files }: Schemas["BookDetails"]): LanguageOfBook[] {
  const active = files.filter(({ isActive }) => isActive === 1);
  const codes = new Set([...translations, ...active].map(({ languageCode }) => languageCode));
  return [...codes].sort().map((code) => ({
    code,
    translation: translations.find(({ languageCode }) => languageCode === code),
    files: active.filter(({ languageCode }) => languageCode === code),
  }));
}

export function BookLanguages({ details, canEdit }: { details: Schemas["BookDetails"]; canEdit: boolean }) {
  const { t } = useTexts(booksMessages);
  const [added, setAdded] = useState<string[]>([]);
  const languages = groupByLanguage(details);
  const known = new Set(languages.map(({ code }) => code));
  const empty = added
    .filter((code) => !known.has(code))
    .map((code) => ({ code, translation: undefined, files: [] }));
  return (
    <Stack component="section" aria-labelledby="languages">
      <div>
        <Title order={2} size="h3" id="languages">
          {t.book.translations}
        </Title>
        {canEdit && <Text c="dimmed">{t.book.translationsHint}</Text>}
      </div>
      <Table.ScrollContainer minWidth={0} type="native">
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.book.language}</Table.Th>
              <Table.Th>{t.book.files}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...languages, ...empty].map((language) => (
              <LanguageRow
                key={language.code}
                bookId={details.book.id}
                language={language}
                canEdit={canEdit}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {canEdit && (
        <AddLanguage known={new Set([...known, ...added])} add={(code) => setAdded([...added, code])} />
      )}
    </Stack>
  );
}

interface RowProps {
  bookId: string;
  language: LanguageOfBook;
  canEdit: boolean;
}

function LanguageRow({ bookId, language, canEdit }: RowProps) {
  const { t, nameLanguage } = useTexts(booksMessages);
  const { data } = useQuery(languagesQuery);
  const { code, translation, files } = language;
  const name = nameLanguage(data?.languages.find((each) => each.code === code) ?? { code });
  const upload = useUpload(bookId, code);
  const [isTarget, setIsTarget] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsTarget(false);
    const [file] = event.dataTransfer.files;
    if (file) upload.send(file);
  };
  const target = canEdit && {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsTarget(true);
    },
    onDragLeave: () => setIsTarget(false),
    onDrop: drop,
  };
  return (
    <Table.Tr className={classes.row} data-target={isTarget || undefined} {...target}>
      <Table.Td>
        <Text fw={500}>{name}</Text>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {translation ? <bdi lang={code}>{translation.title}</bdi> : t.book.noTitle}
        </Text>
        {canEdit && <EditTitle bookId={bookId} language={language} name={name} />}
      </Table.Td>
      <Table.Td>
        <Stack gap="xs" align="start">
          {files.length === 0 && <Text size="sm">{t.book.noFile}</Text>}
          {files.map((file) => (
            <FileLine key={file.id} bookId={bookId} file={file} canEdit={canEdit} />
          ))}
          {upload.current && (
            <div className={classes.progress} role="status">
              <Text size="sm">{t.book.sending(upload.current.name, upload.current.percent)}</Text>
              <Progress value={upload.current.percent} aria-hidden />
            </div>
          )}
          {canEdit && (
            <FileButton onChange={(file) => file && upload.send(file)}>
              {(props) => (
                <Button size="compact-sm" variant="default" aria-label={t.book.addFile(name)} {...props}>
                  {t.add}
                </Button>
              )}
            </FileButton>
          )}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}

function useUpload(bookId: string, languageCode: string) {
  const { t } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const [current, setCurrent] = useState<{ name: string; percent: number }>();
  const add = useBookChange((file: File) =>
    sendFile(bookId, languageCode, file, (part) =>
      setCurrent({ name: file.name, percent: Math.floor(part * 100) }),
    ),
  );
  const send = (file: File) =>
    add.mutate(file, {
      onSuccess: () => notifications.show({ message: t.book.fileAdded(file.name) }),
      onError: notifyProblem,
      onSettled: () => setCurrent(undefined),
    });
  return { current, send };
}

function FileLine({
  bookId,
  file,
  canEdit,
}: {
  bookId: string;
  file: Schemas["BookFile"];
  canEdit: boolean;
}) {
  const { t, formatBytes } = useTexts(booksMessages);
  const notifyProblem = useNotifyProblem();
  const remove = useBookChange(() => removeFile(bookId, file.id));
  return (
    <Group gap="xs">
      <Badge variant="default" tt="uppercase">
        {file.fileType}
      </Badge>
      <Text size="sm" dir="auto" style={{ overflowWrap: "anywhere" }}>
        {file.fileName}
      </Text>
      <Text size="sm" c="dimmed">
        {formatBytes(file.fileSizeBytes)}
      </Text>
      {canEdit && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          loading={remove.isPending}
          aria-label={t.book.removeFile(file.fileName)}
          onClick={() =>
            remove.mutate(undefined, {
              onSuccess: () => notifications.show({ message: t.book.fileRemoved }),
              onError: notifyProblem,
            })
          }
        >
          {t.remove}
        </Button>
      )}
    </Group>
  );
}

function EditTitle({ bookId, language, name }: { bookId: string; language: LanguageOfBook; name: string }) {
  const { t } = useTexts(booksMessages);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="subtle" px={0} onClick={open} aria-label={t.book.editTitle(name)}>
        {t.edit}
      </Button>
      <FormDialog title={name} isOpen={isOpen} close={close}>
        <TranslationForm bookId={bookId} language={language} close={close} />
      </FormDialog>
    </>
  );
}

function TranslationForm({
  bookId,
  language,
  close,
}: {
  bookId: string;
  language: LanguageOfBook;
  close(): void;
}) {
  const { t } = useTexts(booksMessages);
  const { code, translation } = language;
  const form = useForm({
    initialValues: { title: translation?.title ?? "", description: translation?.description ?? "" },
  });
  const showProblem = useShowProblem(form);
  const save = useBookChange(putTranslation.bind(undefined, bookId));
  const submit = form.onSubmit((fields) =>
    save.mutate({ languageCode: code, ...fields }, { onSuccess: close, onError: showProblem }),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t.save} isPending={save.isPending}>
      <TextInput
        label={t.book.title}
        required
        withAsterisk={false}
        maxLength={500}
        lang={code}
        dir="auto"
        data-autofocus
        {...form.getInputProps("title")}
      />
      <Textarea
        label={t.description}
        autosize
        minRows={3}
        maxRows={12}
        lang={code}
        dir="auto"
        {...form.getInputProps("description")}
      />
    </DialogForm>
  );
}

function AddLanguage({ known, add }: { known: ReadonlySet<string>; add(code: string): void }) {
  const { t, nameLanguage } = useTexts(booksMessages);
  const { data } = useQuery(languagesQuery);
  const others = data?.languages.filter(({ code }) => !known.has(code)) ?? [];
  if (others.length === 0) return null;
  return (
    <NativeSelect
      label={t.book.addLanguage}
      w="fit-content"
      value=""
      data={[
        { value: "", label: t.book.chooseLanguage },
        ...others.map((each) => ({ value: each.code, label: nameLanguage(each) })),
      ]}
      onChange={({ currentTarget: { value } }) => value && add(value)}
    />
  );
}
