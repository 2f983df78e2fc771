/** The accounts of those who work with the service. */
import { Badge, Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { useHasMail, useSession } from "../session/session.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Loaded } from "../shell/loaded.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { usePageRequest } from "../shell/page-request.ts";
import { useNotifyProblem } from "../shell/problems.tsx";
import { findRole, updateUser, usersQuery, useUserChange } from "./queries.ts";
import { DeleteUserForm, PasswordForm, UserForm } from "./user-forms.tsx";
import classes from "./users-page.module.css";

type User = Schemas["User"];

export default function UsersPage() {
  const { t } = useTexts("users");
  const [isOpen, { open, close }] = useDisclosure(false);
  usePageRequest("add", open);
  return (
    <PermittedPage
      permission="manage_users"
      title={t("users.title")}
      actions={<Button onClick={open}>{t("users.add")}</Button>}
    >
      <Text maw="70ch">{t("users.about")}</Text>
      <FormDialog title={t("users.add")} isOpen={isOpen} close={close}>
        <UserForm close={close} />
      </FormDialog>
      <Users />
    </PermittedPage>
  );
}

function Users() {
  const query = useQuery(usersQuery);
  return <Loaded query={query}>{({ users }) => <UserTable users={users} />}</Loaded>;
}

function UserTable({ users }: { users: User[] }) {
  const { t } = useTexts("users");
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("users.user")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("users.role")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("state")}</Table.Th>
            <Table.Th visibleFrom="md">{t("users.created")}</Table.Th>
            <Table.Th>{t("users.actions")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function UserRow({ user }: { user: User }) {
  const { t, formatTime } = useTexts("users");
  const { data: session } = useSession();
  const { name, email, role: given, isActive, isInvited } = user;
  const role = findRole(given);
  const roleName = role ? t(`users.roles.${role}.name`) : given;
  const isUsual = isActive === 1 && !isInvited;
  const state =
    isActive === 0 ? t("users.inactive") : isInvited ? t("users.invited") : t("users.activeState");
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} style={{ overflowWrap: "anywhere" }}>
          <bdi>{name}</bdi>
          {session?.user.id === user.id && ` (${t("users.you")})`}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          <bdi dir="ltr">{email}</bdi>
        </Text>
        <Text size="sm" hiddenFrom="sm">
          {isUsual ? roleName : `${roleName} · ${state}`}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{roleName}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge variant="default" miw="max-content">
          {state}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="md" className={classes.time}>
        {formatTime(user.createdAt)}
      </Table.Td>
      <Table.Td>
        <UserActions user={user} isOneself={session?.user.id === user.id} />
      </Table.Td>
    </Table.Tr>
  );
}

/** One's own password is changed on the page of one's account, and one's own account isn't deleted by oneself. */
function UserActions({ user, isOneself }: { user: User; isOneself: boolean }) {
  const { t } = useTexts("users");
  const canInvite = useHasMail() && user.isInvited && user.isActive === 1;
  const [isEditing, edit] = useDisclosure(false);
  const [isReplacing, replace] = useDisclosure(false);
  const [isDeleting, remove] = useDisclosure(false);
  const { id, name } = user;
  return (
    <>
      <Group gap="xs" className={classes.actions}>
        <Button size="compact-sm" variant="default" onClick={edit.open} aria-label={t("editOf", { name })}>
          {t("edit")}
        </Button>
        {canInvite && <InviteAgain user={user} />}
        {!isOneself && (
          <>
            <Button
              size="compact-sm"
              variant="default"
              onClick={replace.open}
              aria-label={t("users.newPasswordOf", { name })}
            >
              {t("users.newPassword")}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              onClick={remove.open}
              aria-label={t("users.removeOf", { name })}
            >
              {t("users.removeAction")}
            </Button>
          </>
        )}
      </Group>
      <FormDialog title={name} isOpen={isEditing} close={edit.close}>
        <UserForm user={user} close={edit.close} />
      </FormDialog>
      <FormDialog title={t("users.newPasswordOf", { name })} isOpen={isReplacing} close={replace.close}>
        <PasswordForm userId={id} close={replace.close} />
      </FormDialog>
      <FormDialog title={t("users.removeOf", { name })} isOpen={isDeleting} close={remove.close}>
        <DeleteUserForm userId={id} close={remove.close} />
      </FormDialog>
    </>
  );
}

function InviteAgain({ user: { id, name } }: { user: User }) {
  const { t } = useTexts("users");
  const notifyProblem = useNotifyProblem();
  const invite = useUserChange(() => updateUser(id, { invite: true }));
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={invite.isPending}
      aria-label={t("users.inviteAgainOf", { name })}
      onClick={() =>
        invite.mutate(undefined, {
          onSuccess: () => notifications.show({ message: t("users.invitedAgain") }),
          onError: notifyProblem,
        })
      }
    >
      {t("users.inviteAgain")}
    </Button>
  );
}
