/** The channels on which a book is published in a language: each is a switch. */
import { Badge, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { channelsQuery } from "../channels/queries.ts";
import { languagesQuery } from "../languages/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import { useOfferUndo } from "../ui/undo.tsx";
import classes from "./channel-chips.module.css";
import { findPlace } from "./language-rows.ts";
import { setPublication, useBookChange } from "./queries.ts";

interface ChipsProps {
  details: Schemas["BookDetails"];
  code: string;
}

export function ChannelChips({ details, code }: ChipsProps) {
  const { t, nameLanguage } = useTexts("books");
  const canView = usePermission("view_channels");
  const channels = useQuery({ ...channelsQuery, enabled: canView }).data?.channels ?? [];
  const languages = useQuery(languagesQuery).data?.languages ?? [];
  const language = languages.find((each) => each.code === code);
  if (!language) return null;
  const parent = languages.find(({ id }) => id === language.parentId);
  return (
    <Group gap="xs">
      {channels.map((channel) => {
        const place = findPlace(details, channel.id, language);
        if (place !== "inherited")
          return (
            <Chip
              key={channel.id}
              book={details.book}
              channel={channel}
              language={{ code, name: nameLanguage(language) }}
              isPublished={place === "own"}
            />
          );
        return (
          <Badge key={channel.id} variant="light" tt="none" size="lg">
            {t("chips.inherited", { channel: channel.name, parent: parent ? nameLanguage(parent) : "" })}
          </Badge>
        );
      })}
    </Group>
  );
}

interface ChipProps {
  book: Schemas["Book"];
  channel: Schemas["Channel"];
  language: { code: string; name: string };
  isPublished: boolean;
}

function Chip({ book, channel, language, isPublished }: ChipProps) {
  const { t } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const offerUndo = useOfferUndo();
  const canEdit = usePermission("edit_channels") && book.isActive === 1;
  const change = useBookChange((wanted: boolean) =>
    setPublication({
      bookId: book.id,
      channelId: channel.id,
      languageCode: language.code,
      isPublished: wanted,
    }),
  );
  const set = (wanted: boolean) => change.mutateAsync(wanted).catch(notifyProblem);
  const toggle = async () => {
    const wanted = !isPublished;
    const done = await set(wanted);
    if (!done) return;
    // The parent language may go on to publish it.
    const text = done.isPublished ? "chips.published" : "chips.unpublished";
    offerUndo(t(text, { channel: channel.name, language: language.name }), () => set(!wanted));
  };
  if (!canEdit)
    return (
      isPublished && (
        <Badge variant="light" tt="none" size="lg">
          {channel.name}
        </Badge>
      )
    );
  return (
    <Button
      size="compact-sm"
      radius="xl"
      classNames={{ root: classes.chip, label: classes.label }}
      variant={isPublished ? "filled" : "default"}
      aria-pressed={isPublished}
      aria-label={t("chips.publish", { channel: channel.name, language: language.name })}
      loading={change.isPending}
      onClick={toggle}
    >
      {channel.name}
    </Button>
  );
}
