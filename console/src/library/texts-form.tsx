/** The texts of the library in one language. */
import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect } from "react";
import { Problem, type Schemas } from "../api/client.ts";
import { useJoinedSave } from "../forms/joined-save.tsx";
import { useUnsaved } from "../forms/unsaved.ts";
import { useTexts } from "../messages/index.tsx";
import { textsQuery, updateTexts } from "./queries.ts";

type Texts = Schemas["LibraryTexts"];

const NAMES = ["name", "introduction", "footer", "about", "privacy", "consent", "consentVersion"] as const;
type Fields = Record<(typeof NAMES)[number], string>;

/** Those of more than one line, with their first height. */
const PARAGRAPHS = { introduction: 3, footer: 2, about: 4, privacy: 4, consent: 3 } as const;

const readFields = (texts: Fields): Fields => ({
  name: texts.name,
  introduction: texts.introduction,
  footer: texts.footer,
  about: texts.about,
  privacy: texts.privacy,
  consent: texts.consent,
  consentVersion: texts.consentVersion,
});

const readStored = (texts: Texts) => ({ version: texts.version, fields: readFields(texts) });

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

function useSave(texts: Texts, form: UseFormReturnType<Fields>) {
  const { t } = useTexts("library");
  const queries = useQueryClient();
  const { languageCode } = texts;
  return useJoinedSave({
    form,
    stored: readStored(texts),
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
    read: async () => readStored(await queries.fetchQuery({ ...textsQuery(languageCode), staleTime: 0 })),
    async save(fields, { version, fields: before }) {
      try {
        const saved = await updateTexts(languageCode, findChanges(fields, before), version);
        return readStored(saved.texts);
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
  const form = useForm<Fields>({ initialValues: readFields(texts) });
  const { store, isPending, notice } = useSave(texts, form);
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  useLayoutEffect(() => {
    isDirtyNow.current = isDirty;
    return () => {
      isDirtyNow.current = false;
    };
  }, [isDirtyNow, isDirty]);
  const saySaved = () => notifications.show({ message: t("saved") });
  const submit = form.onSubmit((fields) => store(fields, saySaved));
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
    <form onSubmit={submit} aria-label={t("library.texts")}>
      <Stack>
        {notice(saySaved)}
        <TextInput maxLength={300} {...text("name")} />
        {paragraphs("introduction")}
        {paragraphs("footer")}
        {paragraphs("about")}
        {paragraphs("privacy")}
        {paragraphs("consent")}
        <TextInput {...text("consentVersion")} placeholder={versionOfOther} maxLength={100} dir="ltr" />
        <Group>
          <Button type="submit" loading={isPending} disabled={!isDirty} data-save>
            {t("library.saveTexts")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
