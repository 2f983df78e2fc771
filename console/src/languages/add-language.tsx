/** Adds a language by its code or its name, as a sub-language where its code says of which. */
import { Alert, Button, Checkbox, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { DialogForm, FormDialog } from "../shell/form-dialog.tsx";
import { usePageRequest } from "../shell/page-request.ts";
import { useShowProblem } from "../shell/problems.tsx";
import { findParent, isCode, isNameOf, nameCode } from "./language-codes.ts";
import { createLanguage, languagesQuery, useLanguageChange } from "./queries.ts";

export function AddLanguageButton() {
  const { t } = useTexts("languages");
  const [isOpen, { open, close }] = useDisclosure(false);
  usePageRequest("add", open);
  return (
    <>
      <Button onClick={open}>{t("languages.add")}</Button>
      <FormDialog title={t("languages.add")} isOpen={isOpen} close={close}>
        <AddLanguageForm close={close} />
      </FormDialog>
    </>
  );
}

/** The code that the service suggests for a name. */
const readSuggestion = (error: unknown): string | undefined =>
  error instanceof Problem ? error.fields.find(({ path }) => path === "code")?.suggestion : undefined;

/** The names come from CLDR and can be corrected afterwards. */
function AddLanguageForm({ close }: { close(): void }) {
  const { t, language, nameLanguage } = useTexts("languages");
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const form = useForm({ initialValues: { code: "", isChild: true } });
  // A code that has no name is added on a second request only.
  const [asked, setAsked] = useState("");
  const showProblem = useShowProblem(form);
  const create = useLanguageChange(createLanguage);
  const { isChild } = form.values;
  const code = form.values.code.trim();
  const name = isCode(code) ? nameCode(code, language) : undefined;
  const isUnknown = isCode(code) && name === undefined;
  const parent = findParent(code, languages);
  const add = (added: string, parentId: number | undefined) =>
    create.mutate(
      { code: added, ...(parentId !== undefined && { parentId }) },
      {
        onSuccess: close,
        onError(error) {
          const suggestion = readSuggestion(error);
          if (suggestion === undefined) return showProblem(error);
          form.setFieldValue("code", suggestion);
          // Nothing is left to choose.
          if (isNameOf(added, suggestion, language) && !findParent(suggestion, languages))
            add(suggestion, undefined);
        },
      },
    );
  const submit = form.onSubmit(() => {
    if (isUnknown && asked !== code) setAsked(code);
    else add(code, isChild ? parent?.id : undefined);
  });
  const isAsking = isUnknown && asked === code;
  return (
    <DialogForm
      onSubmit={submit}
      close={close}
      action={isAsking ? t("languages.addUnknown") : t("add")}
      isPending={create.isPending}
    >
      <TextInput
        label={t("languages.code")}
        description={t("languages.codeHint")}
        required
        withAsterisk={false}
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
