/** The form of a new API key. */
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { findEndOfDay } from "../dates/range.ts";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { findShownZone } from "../messages/zones.ts";
import { useShowProblem } from "../ui/problems.tsx";
import { createKey, isScope, SCOPES, useKeyChange } from "./queries.ts";

interface KeyFormProps {
  close(): void;
  /** Takes the key, which can't be read again. */
  show(key: string): void;
}

/** In the time zone in which the list shows it. */
const endOfDay = (day: string): string => findEndOfDay(day, findShownZone()).toISOString();

export function KeyForm({ close, show }: KeyFormProps) {
  const { t } = useTexts("api-keys");
  const form = useForm({
    initialValues: { name: "", scopes: ["view_books"], expiresAt: "" },
    validate: { scopes: (scopes) => (scopes.length === 0 ? t("apiKeys.noScope") : null) },
  });
  const showProblem = useShowProblem(form);
  const create = useKeyChange(createKey);
  const submit = form.onSubmit(({ name, scopes, expiresAt }) =>
    create.mutate(
      { name, scopes: scopes.filter(isScope), expiresAt: expiresAt === "" ? null : endOfDay(expiresAt) },
      { onSuccess: ({ key }) => show(key), onError: showProblem },
    ),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t("apiKeys.add")} isPending={create.isPending}>
      <TextInput
        label={t("apiKeys.name")}
        description={t("apiKeys.nameHint")}
        required
        dir="auto"
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Checkbox.Group
        label={t("apiKeys.scopes")}
        description={t("apiKeys.scopeHint")}
        {...form.getInputProps("scopes")}
      >
        <Stack gap="sm" pt="xs">
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={t(`apiKeys.scope.${scope}.name`)}
              description={t(`apiKeys.scope.${scope}.hint`)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        type="date"
        label={t("apiKeys.expires")}
        description={t("apiKeys.expiresHint")}
        {...form.getInputProps("expiresAt")}
      />
    </DialogForm>
  );
}
