/** The accounts of those who work with the service. */
import { Badge, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { AddButton, ConfirmButton, DialogButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useHasMail, useSession } from "../session/session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { deleteUser, findRole, updateUser, usersQuery, useUserChange } from "./queries.ts";
import { PasswordForm, UserForm } from "./user-forms.tsx";
import classes from "./users-page.module.css";

type User = Schemas["User"];

export default function UsersPage() {
  const { t } = useTexts("users");
  return (
    <PermittedPage
      permission="manage_users"
      title={t("nav.users")}
      actions={<AddButton label={t("users.add")}>{(close) => <UserForm close={close} />}</AddButton>}
    >
      <Text maw="70ch">{t("users.about")}</Text>
      <Users />
    </PermittedPage>
  );
}

function Users() {
  const { t, formatTime } = useTexts("users");
  const query = useQuery(usersQuery);
  return (
    <LoadedTable
      query={query}
      rowsOf={({ users }) => users}
      keyOf={({ id }) => id}
      columns={[
        { head: t("users.user"), cell: (user) => <NameCell user={user} /> },
        { head: t("users.role"), from: "sm", cell: ({ role }) => <RoleName role={role} /> },
        { head: t("state"), from: "sm", cell: (user) => <StateBadge user={user} /> },
        {
          head: t("users.created"),
          from: "md",
          isShort: true,
          cell: ({ createdAt }) => formatTime(createdAt),
        },
        { head: t("users.actions"), cell: (user) => <UserActions user={user} /> },
      ]}
    />
  );
}

function RoleName({ role: given }: Pick<User, "role">) {
  const { t } = useTexts("users");
  const role = findRole(given);
  return role ? t(`users.roles.${role}.name`) : given;
}

function StateName({ user: { isActive, isInvited } }: { user: User }) {
  const { t } = useTexts("users");
  if (isActive === 0) return t("users.inactive");
  return isInvited ? t("users.invited") : t("users.activeState");
}

const StateBadge = ({ user }: { user: User }) => (
  <Badge variant="default" miw="max-content">
    <StateName user={user} />
  </Badge>
);

function NameCell({ user }: { user: User }) {
  const { t } = useTexts("users");
  const { data: session } = useSession();
  const isUsual = user.isActive === 1 && !user.isInvited;
  return (
    <>
      <Text fw={500} style={{ overflowWrap: "anywhere" }}>
        <bdi>{user.name}</bdi>
        {session?.user.id === user.id && ` (${t("users.you")})`}
      </Text>
      <Note style={{ overflowWrap: "anywhere" }}>
        <bdi dir="ltr">{user.email}</bdi>
      </Note>
      <Text size="sm" hiddenFrom="sm">
        <RoleName role={user.role} />
        {!isUsual && (
          <>
            {" · "}
            <StateName user={user} />
          </>
        )}
      </Text>
    </>
  );
}

/** One's own password is changed on the page of one's account, and one's own account isn't deleted by oneself. */
function UserActions({ user }: { user: User }) {
  const { t } = useTexts("users");
  const { data: session } = useSession();
  const canInvite = useHasMail() && user.isInvited && user.isActive === 1;
  const remove = useUserChange(deleteUser);
  const { id, name } = user;
  return (
    <Group gap="xs" className={classes.actions}>
      <DialogButton size="compact-sm" label={t("edit")} name={t("editOf", { name })} title={name}>
        {(close) => <UserForm user={user} close={close} />}
      </DialogButton>
      {canInvite && <InviteAgain user={user} />}
      {session?.user.id !== id && (
        <>
          <DialogButton
            size="compact-sm"
            label={t("users.newPassword")}
            name={t("users.newPasswordOf", { name })}
          >
            {(close) => <PasswordForm userId={id} close={close} />}
          </DialogButton>
          <ConfirmButton
            size="compact-sm"
            label={t("delete")}
            name={t("deleteOf", { name })}
            hint={t("users.removeHint")}
            run={() => remove.mutateAsync(id)}
            done={t("users.removed")}
          />
        </>
      )}
    </Group>
  );
}

function InviteAgain({ user: { id, name } }: { user: User }) {
  const { t } = useTexts("users");
  const invite = useUserChange(() => updateUser(id, { invite: true }));
  return (
    <ActionButton
      size="compact-sm"
      label={t("users.inviteAgain")}
      name={t("users.inviteAgainOf", { name })}
      run={() => invite.mutateAsync(undefined)}
      done={t("users.invitedAgain")}
    />
  );
}
