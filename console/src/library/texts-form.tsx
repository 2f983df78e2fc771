/** The texts of the library in one language. */
import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect } from "react";
import { Problem, type Schemas } from "../api/client.ts";
import { PageForm, useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import { textsQuery, updateTexts } from "./queries.ts";

type Texts = Schemas["LibraryTexts"];

const NAMES = ["name", "introduction", "footer", "about", "privacy", "consent", "consentVersion"] as const;
type Fields = Record<(typeof NAMES)[number], string>;

/** Those of more than one line, with their first height. */
const PARAGRAPHS = { introduction: 3, footer: 2, about: 4, privacy: 4, consent: 3 } as const;

const readFields = (texts: Texts): Fields => ({
  name: texts.name,
  introduction: texts.introduction,
  footer: texts.footer,
  about: texts.about,
  privacy: texts.privacy,
  consent: texts.consent,
  consentVersion: texts.consentVersion,
});

/** Only what was changed. */
function findChanges(fields: Fields, before: Fields): Schemas["LibraryTextsUpdate"] {
  const changes: Schemas["LibraryTextsUpdate"] = {};
  for (const name of NAMES) if (fields[name] !== before[name]) changes[name] = fields[name];
  return changes;
}

/** That a version has another consent text is said at the field that mends it. */
const atVersion = (error: unknown, message: string): unknown =>
  error instanceof Problem && error.code === "consent_version_needed"
    ? new Problem(error.status, { errors: [{ path: "consentVersion", message }] })
    : error;

function useTextsForm(texts: Texts) {
  const { t } = useTexts("library");
  const queries = useQueryClient();
  const { languageCode } = texts;
  return useRecordForm({
    record: texts,
    fieldsOf: readFields,
    labels: {
      name: t("library.textNames.name"),
      introduction: t("library.textNames.introduction"),
      footer: t("library.textNames.footer"),
      about: t("library.textNames.about"),
      privacy: t("library.textNames.privacy"),
      consent: t("library.textNames.consent"),
      consentVersion: t("library.textNames.consentVersion"),
    },
    keys: ["library"],
    read: () => queries.fetchQuery({ ...textsQuery(languageCode), staleTime: 0 }),
    async save(fields, { version, fields: before }) {
      try {
        return (await updateTexts(languageCode, findChanges(fields, before), version)).texts;
      } catch (error) {
        throw atVersion(error, t("library.newVersionNeeded"));
      }
    },
  });
}

interface TextsFormProps {
  texts: Texts;
  /** Gets whether something is typed that isn't saved. */
  isDirtyNow: RefObject<boolean>;
}

export function TextsForm({ texts, isDirtyNow }: TextsFormProps) {
  const { t, findText } = useTexts("library");
  const { form, submit, isPending, notice } = useTextsForm(texts);
  const isDirty = form.isDirty();
  useLayoutEffect(() => {
    isDirtyNow.current = isDirty;
    return () => {
      isDirtyNow.current = false;
    };
  }, [isDirtyNow, isDirty]);
  const text = (name: keyof Fields) => ({
    label: t(`library.textNames.${name}`),
    description: findText(`library.textHints.${name}`),
    placeholder: texts.fallback[name],
    lang: texts.languageCode,
    dir: "auto",
    ...form.getInputProps(name),
  });
  const paragraphs = (name: keyof typeof PARAGRAPHS) => (
    <Textarea autosize minRows={PARAGRAPHS[name]} maxRows={12} {...text(name)} />
  );
  // A text and its version are those of one language.
  const versionOfOther = form.values.consent === "" ? texts.fallback.consentVersion : "";
  return (
    <PageForm {...{ form, submit, isPending }} label={t("library.texts")} action={t("library.saveTexts")}>
      {notice}
      <TextInput maxLength={300} {...text("name")} />
      {paragraphs("introduction")}
      {paragraphs("footer")}
      {paragraphs("about")}
      {paragraphs("privacy")}
      {paragraphs("consent")}
      <TextInput {...text("consentVersion")} placeholder={versionOfOther} maxLength={100} dir="ltr" />
    </PageForm>
  );
}
