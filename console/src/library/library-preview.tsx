/** How the name, the colour and the logo look on light and on dark pages. */
import { Group, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import { BACKGROUNDS, readableAccent } from "./colors.ts";
import classes from "./library.module.css";
import { addressOf } from "./queries.ts";

const TEXT = { light: "#23211d", dark: "#ece8df" } as const;

interface PreviewProps {
  name: string;
  accentColor: string;
  logo: Schemas["LibraryLogo"] | null;
}

export function LibraryPreview({ name, accentColor, logo }: PreviewProps) {
  const { t } = useTexts("library");
  const accent = readableAccent(accentColor);
  return (
    <section aria-label={t("library.preview")} className={classes.previews}>
      {(["light", "dark"] as const).map((scheme) => (
        <Stack key={scheme} gap={4}>
          <Stack gap="sm" className={classes.preview} bg={BACKGROUNDS[scheme]} c={TEXT[scheme]}>
            <Group gap="sm" wrap="nowrap">
              <img src={logo ? addressOf(logo) : "/api/favicon"} alt="" className={classes.logo} />
              <Text fw={600} dir="auto" style={{ overflowWrap: "anywhere" }} miw={0}>
                {name.trim() || t("library.noName")}
              </Text>
            </Group>
            <Group gap="md">
              <Text td="underline" c={accent[scheme]}>
                {t("library.sampleLink")}
              </Text>
              <Text px="sm" className={classes.button} bg={accent[scheme]} c={BACKGROUNDS[scheme]}>
                {t("library.sampleButton")}
              </Text>
            </Group>
          </Stack>
          <Note>
            {t(`colours.${scheme}`)}: <bdi dir="ltr">{accent[scheme]}</bdi>
          </Note>
        </Stack>
      ))}
    </section>
  );
}
