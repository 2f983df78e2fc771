/** The languages of a book as rows: files by their format, channels, and whether readers find it. */
import { Button, Group, NativeSelect, Stack, Table, Text, Title, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { Schemas } from "../api/client.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { CardTable } from "../ui/data-table.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import classes from "./book-languages.module.css";
import { ChannelChips } from "./channel-chips.tsx";
import { DropCell, FileCell, UploadProgress, useUpload } from "./language-files.tsx";
import { groupByLanguage, type LanguageOfBook, listFileTypes } from "./language-rows.ts";
import { RowMenu } from "./row-menu.tsx";

type Details = Schemas["BookDetails"];

const LanguageForm = lazyPart(() => import("./language-form.tsx"));

export function BookLanguages({ details, canEdit }: { details: Details; canEdit: boolean }) {
  const { t } = useTexts("books");
  const { data } = useQuery(languagesQuery);
  const [added, setAdded] = useState<string[]>([]);
  const languages = groupByLanguage(details, data?.languages ?? []);
  const known = new Set(languages.map(({ code }) => code));
  const empty = added
    .filter((code) => !known.has(code))
    .map((code) => ({ code, translation: undefined, files: [], coverVersion: undefined }));
  const rows = [...languages, ...empty];
  const fileTypes = listFileTypes(languages);
  return (
    <Stack component="section" aria-labelledby="languages">
      <div>
        <Title order={2} size="h3" id="languages">
          {t("rows.title")}
        </Title>
        {canEdit && <Text c="dimmed">{rows.length === 0 ? t("rows.empty") : t("rows.hint")}</Text>}
        {!canEdit && rows.length === 0 && <Text>{t("rows.none")}</Text>}
      </div>
      {rows.length > 0 && (
        <CardTable verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("words.language")}</Table.Th>
              {fileTypes.map((type) => (
                <Table.Th key={type}>{type.toUpperCase()}</Table.Th>
              ))}
              <Table.Th>{t("rows.channels")}</Table.Th>
              <Table.Th>{t("rows.readers")}</Table.Th>
              {canEdit && <Table.Td />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((language) => (
              <LanguageRow
                key={language.code}
                details={details}
                language={language}
                fileTypes={fileTypes}
                canEdit={canEdit}
              />
            ))}
          </Table.Tbody>
        </CardTable>
      )}
      {canEdit && (
        <AddLanguage known={new Set([...known, ...added])} add={(code) => setAdded([...added, code])} />
      )}
    </Stack>
  );
}

interface RowProps {
  details: Details;
  language: LanguageOfBook;
  fileTypes: readonly string[];
  canEdit: boolean;
}

function LanguageRow({ details, language, fileTypes, canEdit }: RowProps) {
  const { t, nameLanguage } = useTexts("books");
  const { data } = useQuery(languagesQuery);
  const [isOpen, { open, close }] = useDisclosure(false);
  const { code, translation, files } = language;
  const name = nameLanguage(data?.languages.find((each) => each.code === code) ?? { code });
  const upload = useUpload(details.book.id, code);
  const { send } = upload;
  return (
    <Table.Tr>
      <DropCell className={classes.language} take={canEdit ? (file) => send({ file }) : undefined}>
        {canEdit ? (
          <UnstyledButton
            className={classes.name}
            onClick={open}
            aria-label={t("rows.edit", { language: name })}
          >
            {name}
          </UnstyledButton>
        ) : (
          <Text fw={500}>{name}</Text>
        )}
        <Text size="sm" c={translation ? undefined : "dimmed"} style={{ overflowWrap: "anywhere" }}>
          {translation ? <bdi lang={code}>{translation.title}</bdi> : t("rows.noTitle")}
        </Text>
        <UploadProgress sent={upload.sent} />
        <FormDialog title={name} size="xl" isOpen={isOpen} close={close}>
          <Suspense fallback={<Loading />}>
            <LanguageForm details={details} language={language} name={name} upload={upload} close={close} />
          </Suspense>
        </FormDialog>
      </DropCell>
      {fileTypes.map((fileType) => (
        <FileCell
          key={fileType}
          fileType={fileType}
          files={files.filter((file) => file.fileType === fileType)}
          send={canEdit ? send : undefined}
        />
      ))}
      <Table.Td data-label={t("rows.channels")}>
        <ChannelChips details={details} code={code} />
      </Table.Td>
      <Table.Td data-label={t("rows.readers")}>
        {details.publishedLanguages.includes(code) ? t("rows.found") : t("rows.notFound")}
      </Table.Td>
      {canEdit && (
        <Table.Td data-menu className={classes.menu}>
          <RowMenu bookId={details.book.id} language={language} name={name} send={send} edit={open} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** With a button: by keyboard, a list of choices changes with each key. */
function AddLanguage({ known, add }: { known: ReadonlySet<string>; add(code: string): void }) {
  const { t, nameLanguage } = useTexts("books");
  const { data } = useQuery(languagesQuery);
  const [chosen, choose] = useState("");
  const others = data?.languages.filter(({ code }) => !known.has(code)) ?? [];
  if (others.length === 0) return null;
  const code = others.some((each) => each.code === chosen) ? chosen : "";
  return (
    <Group align="end" gap="xs">
      <NativeSelect
        label={t("rows.addLanguage")}
        value={code}
        data={[
          { value: "", label: t("rows.chooseLanguage") },
          ...others.map((each) => ({ value: each.code, label: nameLanguage(each) })),
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <Button variant="default" disabled={code === ""} onClick={() => add(code)}>
        {t("add")}
      </Button>
    </Group>
  );
}
