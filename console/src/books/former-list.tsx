/** What a language of a book had before: used again, or removed for good. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import type { Schemas } from "../api/client.ts";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { isolate } from "../messages/isolate.ts";
import { Note } from "../ui/note.tsx";
import { useNotifyProblem } from "../ui/problems.tsx";
import { type FormerContent, listFormer } from "./former-contents.ts";
import { useBookChange } from "./queries.ts";
import { useBringBack } from "./use-bring-back.ts";

interface FormerListProps {
  details: Schemas["BookDetails"];
  /** Of the language, or `default` for the cover without one. */
  code: string;
}

export default function FormerList({ details, code }: FormerListProps) {
  const { t } = useTexts("books");
  const section = useRef<HTMLDivElement>(null);
  const former = listFormer(details, code);
  // The line with the button that was pressed goes.
  const focusSection = () => section.current?.focus();
  return (
    <div ref={section} tabIndex={-1} style={{ outline: "none" }}>
      {former.length === 0 && <Text c="dimmed">{t("former.none")}</Text>}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {former.map((content) => (
          <FormerLine key={content.key} content={content} afterwards={focusSection} />
        ))}
      </Stack>
    </div>
  );
}

const LOOK = { size: "compact-xs", variant: "subtle", px: 4 } as const;

interface FormerLineProps {
  content: FormerContent;
  afterwards(): void;
}

function FormerLine({ content, afterwards }: FormerLineProps) {
  const { t, formatBytes } = useTexts("books");
  const notifyProblem = useNotifyProblem();
  const { nameFormer, bringBack, isPending } = useBringBack();
  const remove = useBookChange(() => content.removeForGood());
  const name = nameFormer(content);
  return (
    <li>
      <Text size="sm">
        <bdi>{name}</bdi>{" "}
        <Text span size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          {formatBytes(content.fileSizeBytes)}
        </Text>
      </Text>
      <Times content={content} />
      <Group gap={4}>
        <Button
          {...LOOK}
          loading={isPending}
          aria-label={t("former.useAgainOf", { name })}
          onClick={() => bringBack(content).then(afterwards, notifyProblem)}
        >
          {t("former.useAgain")}
        </Button>
        <ConfirmButton
          {...LOOK}
          label={t("former.remove")}
          name={t("former.removeOf", { name })}
          hint={t("former.removeHint")}
          run={() => remove.mutateAsync(undefined).then(afterwards)}
          done={t("former.removed", { name })}
        />
      </Group>
    </li>
  );
}

function Times({ content: { replacedAt, replacedBy, keptUntil } }: { content: FormerContent }) {
  const { t, formatTime } = useTexts("books");
  const until = formatTime(replacedAt);
  return (
    <Note>
      {replacedBy === undefined
        ? t("former.until", { time: until })
        : t("former.replacedBy", { time: until, name: isolate(replacedBy) })}
      {keptUntil !== undefined && ` ${t("former.kept", { time: formatTime(keptUntil) })}`}
    </Note>
  );
}
