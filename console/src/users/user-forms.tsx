/** The dialogs of a user: the account, a new password, and its deletion. */
import { Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import type { Schemas } from "../api/client.ts";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useTexts } from "../messages/index.tsx";
import { useHasMail } from "../session/session.ts";
import { PasswordField } from "../ui/account-fields.tsx";
import { useShowProblem } from "../ui/problems.tsx";
import { createUser, findRole, ROLES, updateUser, useUserChange } from "./queries.ts";

type User = Schemas["User"];

/** An administrator types the password of another person: the browser must not fill in their own. */
const PASSWORD = { autoComplete: "new-password" };

interface Fields {
  name: string;
  email: string;
  role: Schemas["Role"];
  isActive: boolean;
  invite: boolean;
  password: string;
}

/** An account that is invited has no password, and can be used. */
const describeNew = ({ invite, password, isActive, ...fields }: Fields): Schemas["UserCreation"] =>
  invite ? { ...fields, invite } : { ...fields, isActive, password };

/** Only what was changed: somebody else may have changed the rest since. */
const findChanges = (fields: Fields, before: Fields): Schemas["UserUpdate"] => ({
  ...(fields.name !== before.name && { name: fields.name }),
  ...(fields.email !== before.email && { email: fields.email }),
  ...(fields.role !== before.role && { role: fields.role }),
  ...(fields.isActive !== before.isActive && { isActive: fields.isActive }),
});

function useUserSave(user: User | undefined, close: () => void) {
  const { t } = useTexts("users");
  const canInvite = useHasMail();
  const { name = "", email = "", role = "viewer", isActive = 1 } = user ?? {};
  const form = useForm({
    initialValues: {
      name,
      email,
      role: findRole(role) ?? "viewer",
      isActive: isActive === 1,
      invite: user === undefined && canInvite,
      password: "",
    },
  });
  const showProblem = useShowProblem(form);
  const save = useUserChange(async (fields: typeof form.values): Promise<void> => {
    const change = () => updateUser(user?.id ?? "", findChanges(fields, form.getInitialValues()));
    await (user ? change() : createUser(describeNew(fields)));
  });
  const submit = form.onSubmit((fields) =>
    save.mutate(fields, {
      onSuccess() {
        notifications.show({ message: t("saved") });
        close();
      },
      onError: showProblem,
    }),
  );
  return { form, submit, isPending: save.isPending, canInvite };
}

interface FirstPasswordProps {
  form: ReturnType<typeof useUserSave>["form"];
  canInvite: boolean;
}

/** Set by the user after a letter, or here. */
function FirstPassword({ form, canInvite }: FirstPasswordProps) {
  const { t } = useTexts("users");
  return (
    <>
      {canInvite && (
        <Checkbox
          label={t("users.invite")}
          description={t("users.inviteHint")}
          {...form.getInputProps("invite", { type: "checkbox" })}
        />
      )}
      {!form.values.invite && (
        <PasswordField
          label={t("session.password")}
          description={t("users.passwordHint")}
          {...PASSWORD}
          {...form.getInputProps("password")}
        />
      )}
    </>
  );
}

/** Of a new user, or of one that there is. */
export function UserForm({ user, close }: { user?: User; close(): void }) {
  const { t } = useTexts("users");
  const { form, submit, isPending, canInvite } = useUserSave(user, close);
  return (
    <DialogForm onSubmit={submit} close={close} action={user ? t("save") : t("add")} isPending={isPending}>
      <TextInput label={t("words.name")} dir="auto" data-autofocus required {...form.getInputProps("name")} />
      <TextInput
        type="email"
        label={t("session.email")}
        dir="ltr"
        autoComplete="off"
        required
        {...form.getInputProps("email")}
      />
      {!user && <FirstPassword form={form} canInvite={canInvite} />}
      <NativeSelect
        label={t("users.role")}
        description={t(`users.roles.${form.values.role}.hint`)}
        data={ROLES.map((value) => ({ value, label: t(`users.roles.${value}.name`) }))}
        {...form.getInputProps("role")}
      />
      {!form.values.invite && (
        <Checkbox
          label={t("users.active")}
          description={t("users.activeHint")}
          {...form.getInputProps("isActive", { type: "checkbox" })}
        />
      )}
    </DialogForm>
  );
}

export function PasswordForm({ userId, close }: { userId: string; close(): void }) {
  const { t } = useTexts("users");
  const form = useForm({ initialValues: { password: "", revokeApiKeys: false } });
  const showProblem = useShowProblem(form);
  const save = useUserChange((body: Schemas["UserUpdate"]) => updateUser(userId, body));
  const submit = form.onSubmit(({ password, revokeApiKeys }) =>
    // Without the field, the service chooses which keys to revoke.
    save.mutate(
      { password, ...(revokeApiKeys && { revokeApiKeys }) },
      {
        onSuccess({ revokedApiKeys }) {
          const keys = revokedApiKeys > 0 ? ` ${t("users.keysRevoked", { count: revokedApiKeys })}` : "";
          notifications.show({ message: `${t("users.passwordSet")}${keys}` });
          close();
        },
        onError: showProblem,
      },
    ),
  );
  return (
    <DialogForm onSubmit={submit} close={close} action={t("save")} isPending={save.isPending}>
      <Text>{t("users.passwordEffect")}</Text>
      <PasswordField
        label={t("users.newPassword")}
        description={t("users.passwordHint")}
        data-autofocus
        {...PASSWORD}
        {...form.getInputProps("password")}
      />
      <Checkbox
        label={t("users.revokeKeys")}
        description={t("users.revokeKeysHint")}
        {...form.getInputProps("revokeApiKeys", { type: "checkbox" })}
      />
    </DialogForm>
  );
}
