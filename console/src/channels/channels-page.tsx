/** The distribution channels. */
import { Anchor, Checkbox, Group, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Schemas } from "../api/client.ts";
import { BooksCount } from "../books/books-count.tsx";
import { AddButton, ConfirmButton, DialogButton } from "../forms/dialog-button.tsx";
import { DialogForm } from "../forms/form-dialog.tsx";
import { useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { usePermission } from "../session/session.ts";
import { ActiveBadge } from "../ui/active-badge.tsx";
import { LoadedTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { LinkFields } from "./link-fields.tsx";
import { channelsQuery, createChannel, deleteChannel, updateChannel, useChannelChange } from "./queries.ts";

type Channel = Schemas["Channel"];

export default function ChannelsPage() {
  const { t } = useTexts("channels");
  const canEdit = usePermission("edit_channels");
  return (
    <PermittedPage
      permission="view_channels"
      title={t("nav.channels")}
      actions={
        canEdit && <AddButton label={t("channels.add")}>{(close) => <ChannelForm close={close} />}</AddButton>
      }
    >
      <Channels canEdit={canEdit} />
    </PermittedPage>
  );
}

function Channels({ canEdit }: { canEdit: boolean }) {
  const { t } = useTexts("channels");
  return (
    <LoadedTable
      query={useQuery(channelsQuery)}
      rowsOf={({ channels }) => channels}
      empty={t("channels.empty")}
      keyOf={({ id }) => id}
      columns={[
        { head: t("words.channel"), cell: (channel) => <NameCell channel={channel} /> },
        { head: t("channels.url"), from: "sm", cell: ({ url }) => <WebsiteLink url={url} /> },
        {
          head: t("channels.books"),
          from: "sm",
          isNumber: true,
          cell: ({ publishedBooks, slug, name }) => (
            <BooksCount
              count={publishedBooks}
              filter={{ channel: slug }}
              nameLink={(count) => t("channels.countOf", { count, name })}
            />
          ),
        },
        { head: t("state"), cell: ({ isActive }) => <ActiveBadge isActive={isActive} /> },
        canEdit && { head: t("edit"), cell: (channel) => <Actions channel={channel} /> },
      ]}
    />
  );
}

const NameCell = ({ channel: { name, slug } }: { channel: Channel }) => (
  <>
    <Text fw={500} style={{ overflowWrap: "anywhere" }}>
      <bdi>{name}</bdi>
    </Text>
    <Note>
      <bdi dir="ltr">{slug}</bdi>
    </Note>
  </>
);

const WebsiteLink = ({ url }: Pick<Channel, "url">) =>
  /^https?:/.test(url) && (
    <Anchor href={url} target="_blank" rel="noreferrer" style={{ overflowWrap: "anywhere" }}>
      <bdi dir="ltr">{url}</bdi>
    </Anchor>
  );

function Actions({ channel }: { channel: Channel }) {
  const { t } = useTexts("channels");
  const remove = useChannelChange(deleteChannel);
  const { id, name } = channel;
  return (
    <Group gap="xs">
      <DialogButton size="compact-sm" label={t("edit")} name={t("editOf", { name })} title={name}>
        {(close) => <ChannelForm channel={channel} close={close} />}
      </DialogButton>
      <ConfirmButton
        size="compact-sm"
        label={t("remove")}
        name={t("channels.deleteOf", { name })}
        hint={t("channels.deleteHint")}
        run={() => remove.mutateAsync(id)}
      />
    </Group>
  );
}

const readFields = (channel: Channel | undefined) => ({
  name: channel?.name ?? "",
  description: channel?.description ?? "",
  url: channel?.url ?? "",
  utmSource: channel?.utmSource ?? "",
  utmMedium: channel?.utmMedium ?? "",
  utmCampaign: channel?.utmCampaign ?? "",
  bookUrl: channel?.bookUrl ?? "",
  isActive: channel?.isActive !== 0,
});

type Fields = ReturnType<typeof readFields>;

/** What is empty is cleared. */
const writeFields = (fields: Fields) => ({
  ...fields,
  utmSource: fields.utmSource || null,
  utmMedium: fields.utmMedium || null,
  utmCampaign: fields.utmCampaign || null,
  bookUrl: fields.bookUrl || null,
});

function useChannelForm(channel: Channel | undefined, close: () => void) {
  const { t } = useTexts("channels");
  const queries = useQueryClient();
  // A new one has an id once it is saved, also if the form stays.
  const id = useRef(channel?.id);
  return useRecordForm({
    record: channel,
    fieldsOf: readFields,
    labels: {
      name: t("words.name"),
      description: t("description"),
      url: t("channels.url"),
      utmSource: t("channels.utmSource"),
      utmMedium: t("channels.utmMedium"),
      utmCampaign: t("channels.utmCampaign"),
      bookUrl: t("channels.bookUrl"),
      isActive: t("active"),
    },
    keys: ["channels"],
    async read() {
      const { channels } = await queries.fetchQuery({ ...channelsQuery, staleTime: 0 });
      return channels.find((each) => each.id === id.current);
    },
    async save(fields, { version }) {
      if (id.current !== undefined)
        return (await updateChannel(id.current, writeFields(fields), version)).channel;
      const created = await createChannel(writeFields(fields));
      id.current = created.id;
      return created;
    },
    close,
  });
}

/** Of a new channel, or of one that there is. */
function ChannelForm({ channel, close }: { channel?: Channel; close(): void }) {
  const { t } = useTexts("channels");
  const { form, submit, isPending, notice } = useChannelForm(channel, close);
  return (
    <DialogForm onSubmit={submit} close={close} action={channel ? t("save") : t("add")} isPending={isPending}>
      {notice}
      <TextInput label={t("words.name")} required dir="auto" data-autofocus {...form.getInputProps("name")} />
      <Textarea
        label={t("description")}
        autosize
        minRows={2}
        dir="auto"
        {...form.getInputProps("description")}
      />
      <TextInput label={t("channels.url")} dir="ltr" {...form.getInputProps("url")} />
      <LinkFields form={form} />
      <Checkbox
        label={t("active")}
        description={t("channels.activeHint")}
        {...form.getInputProps("isActive", { type: "checkbox" })}
      />
    </DialogForm>
  );
}
