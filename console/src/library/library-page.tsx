/** The library for readers: its settings, its logo and its texts in each language. */
import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { channelsQuery } from "../channels/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useSession } from "../session/session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Section } from "../ui/section.tsx";
import { LogoSection } from "./logo-section.tsx";
import { libraryQuery } from "./queries.ts";
import { SettingsForm } from "./settings-form.tsx";
import { TextsSection } from "./texts-section.tsx";

export default function LibraryPage() {
  const { t } = useTexts("library");
  return (
    <PermittedPage
      permission="manage_settings"
      title={t("nav.library")}
      actions={
        <Anchor href="/" target="_blank" rel="noreferrer">
          {t("library.open")}
        </Anchor>
      }
    >
      <Text maw="70ch">{t("library.about")}</Text>
      <SiteNote />
      <Library />
    </PermittedPage>
  );
}

/** Where readers are sent to a website, the library may be off. */
function SiteNote() {
  const { t } = useTexts("library");
  const { data: session } = useSession();
  const site = session && "publicSiteUrl" in session ? session.publicSiteUrl : null;
  if (site === null || URL.parse(site)?.href === `${window.location.origin}/`) return null;
  return (
    <Text maw="70ch">
      {t("library.site")}{" "}
      <Anchor href={site} target="_blank" rel="noreferrer" underline="always" dir="ltr">
        {site}
      </Anchor>
    </Text>
  );
}

function Library() {
  const { t } = useTexts("library");
  const query = useQuery(libraryQuery);
  const channels = useQuery(channelsQuery);
  return (
    <Loaded query={query}>
      {(library) => (
        <>
          <Section gap="sm" maw={700} title={t("library.settings")}>
            <Loaded query={channels}>
              {(known) => <SettingsForm library={library} channels={known.channels} />}
            </Loaded>
          </Section>
          <Section gap="sm" maw={700} title={t("library.logo")}>
            <LogoSection logo={library.logo} />
          </Section>
          <Section gap="sm" maw={700} title={t("library.texts")}>
            <TextsSection />
          </Section>
        </>
      )}
    </Loaded>
  );
}
