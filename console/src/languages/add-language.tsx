/** Adds a language by its code or its name, as a sub-language where its code says of which. */
import { Alert, Checkbox, Text, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, type Schemas } from "../api/client.ts";
import { AddButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { useShowProblem } from "../ui/problems.tsx";
import { findParent, isCode, isNameOf, nameCode } from "./language-codes.ts";
import { createLanguage, languagesQuery, useLanguageChange } from "./queries.ts";

export function AddLanguageButton() {
  const { t } = useTexts("languages");
  return <AddButton label={t("languages.add")}>{(close) => <AddLanguageForm close={close} />}</AddButton>;
}

/** The code that the service suggests for a name. */
const readSuggestion = (error: unknown): string | undefined =>
  error instanceof Problem ? error.fields.find(({ path }) => path === "code")?.suggestion : undefined;

/** A function that adds one; a suggestion for a name is added at once where nothing is left to choose. */
function useAdd(
  form: UseFormReturnType<Fields>,
  languages: readonly Schemas["ListedLanguage"][],
  close: () => void,
) {
  const { language } = useTexts();
  const showProblem = useShowProblem(form);
  const { mutate, isPending } = useLanguageChange(createLanguage);
  const add = (code: string, parentId: number | undefined) =>
    mutate(
      { code, ...(parentId !== undefined && { parentId }) },
      {
        onSuccess: close,
        onError(error) {
          const suggestion = readSuggestion(error);
          if (suggestion === undefined) return showProblem(error);
          form.setFieldValue("code", suggestion);
          if (isNameOf(code, suggestion, language) && !findParent(suggestion, languages))
            add(suggestion, undefined);
        },
      },
    );
  return { add, isPending };
}

interface Fields extends Record<string, unknown> {
  code: string;
  isChild: boolean;
}

/** The names come from CLDR and can be corrected afterwards. */
function AddLanguageForm({ close }: { close(): void }) {
  const { t, language, nameLanguage } = useTexts("languages");
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const form = useForm<Fields>({ initialValues: { code: "", isChild: true } });
  // A code that has no name is added on a second request only.
  const [asked, setAsked] = useState("");
  const { add, isPending } = useAdd(form, languages, close);
  const code = form.values.code.trim();
  const name = isCode(code) ? nameCode(code, language) : undefined;
  const isUnknown = isCode(code) && name === undefined;
  const isAsking = isUnknown && asked === code;
  const parent = findParent(code, languages);
  const submit = form.onSubmit(({ isChild }) => {
    if (isUnknown && !isAsking) setAsked(code);
    else add(code, isChild ? parent?.id : undefined);
  });
  return (
    <DialogForm
      onSubmit={submit}
      close={close}
      action={isAsking ? t("languages.addUnknown") : t("add")}
      isPending={isPending}
    >
      <TextInput
        label={t("languages.code")}
        description={t("languages.codeHint")}
        required
        maxLength={60}
        dir="auto"
        autoCapitalize="none"
        data-autofocus
        {...form.getInputProps("code")}
      />
      <Text role="status">{name}</Text>
      {isAsking && (
        <Alert color="yellow" role="alert">
          {t("languages.unknown", { code })}
        </Alert>
      )}
      {parent && (
        <Checkbox
          label={t("languages.childOf", { parent: nameLanguage(parent) })}
          description={t("languages.parentHint")}
          {...form.getInputProps("isChild", { type: "checkbox" })}
        />
      )}
    </DialogForm>
  );
}
