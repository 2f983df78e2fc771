/** One contact: its details, its statements on marketing and its downloads. */
import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useDownloadColumns } from "../downloads/download-cells.tsx";
import { ConfirmButton } from "../forms/dialog-button.tsx";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useConfirmsAddresses, usePermission } from "../session/session.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Facts } from "../ui/facts.tsx";
import { ListLink } from "../ui/list-links.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Section } from "../ui/section.tsx";
import { ConsentSection } from "./consent-section.tsx";
import { ContactForm } from "./contact-form.tsx";
import { nameContact } from "./name-contact.ts";
import { contactQuery, personalDataPath, useErasure } from "./queries.ts";

export default function ContactPage() {
  const { t, formatTime } = useTexts("contacts");
  const { contactId = "" } = useParams();
  const canView = usePermission("view_contacts");
  const query = useQuery({ ...contactQuery(contactId), enabled: canView });
  const canEdit = usePermission("edit_contacts");
  const confirms = useConfirmsAddresses();
  const title = query.data ? nameContact(query.data.contact) : t("contacts.contact");
  return (
    <PermittedPage
      permission="view_contacts"
      title={title}
      actions={query.data && <Actions contact={query.data.contact} canEdit={canEdit} />}
    >
      <ListLink to="/contacts">{t("contact.toContacts")}</ListLink>
      <Loaded query={query}>
        {({ contact, consent, consents, events }) => (
          <Stack gap="xl">
            <Text style={{ overflowWrap: "anywhere" }}>
              <bdi dir="ltr">{contact.email}</bdi>
              {" · "}
              {t("contact.since", { time: formatTime(contact.firstDownloadAt) })}
              {contact.verifiedAt &&
                ` · ${t("contact.verifiedAt", { time: formatTime(contact.verifiedAt) })}`}
              {contact.verifiedAt === null && confirms && ` · ${t("contact.unverified")}`}
            </Text>
            <Section title={t("words.details")}>
              {canEdit ? (
                <ContactForm key={contact.id} contact={contact} />
              ) : (
                <Facts
                  label={t("words.details")}
                  facts={(["firstName", "lastName", "phone", "country"] as const).map((name) => ({
                    label: t(`contact.${name}`),
                    value: contact[name],
                  }))}
                />
              )}
            </Section>
            <ConsentSection contact={contact} consent={consent} consents={consents} canEdit={canEdit} />
            <History contact={contact} events={events} />
          </Stack>
        )}
      </Loaded>
    </PermittedPage>
  );
}

function Actions({ contact, canEdit }: { contact: Schemas["Contact"]; canEdit: boolean }) {
  const { t } = useTexts("contacts");
  return (
    <Group gap="xs">
      <Button component="a" href={personalDataPath(contact.id)} download variant="default">
        {t("contact.personalData")}
      </Button>
      {canEdit && <EraseContactButton contact={contact} />}
    </Group>
  );
}

/** More rows than these are shown on request. */
const FIRST = 50;

function History({ contact, events }: { contact: Schemas["Contact"]; events: Schemas["ContactEvent"][] }) {
  const { t } = useTexts("contacts", "downloads");
  const canFilter = usePermission("view_analytics");
  const { time, book, place, device } = useDownloadColumns();
  const [isComplete, setComplete] = useState(false);
  return (
    <Section title={t("words.downloads")}>
      <Group>
        <Text>{t("contact.downloadsCount", { count: contact.totalDownloads })}</Text>
        {canFilter && (
          <Anchor component={Link} to={`/downloads?contactId=${contact.id}`}>
            {t("contact.inDownloads")}
          </Anchor>
        )}
      </Group>
      {events.length > 0 && (
        <DataTable
          verticalSpacing="xs"
          rows={isComplete ? events : events.slice(0, FIRST)}
          keyOf={({ id }) => id}
          columns={[time, book, place, device]}
        />
      )}
      {!isComplete && events.length > FIRST && (
        <Group>
          <Button variant="default" onClick={() => setComplete(true)}>
            {t("contact.showMore", { count: events.length })}
          </Button>
        </Group>
      )}
    </Section>
  );
}

/** Erasure: what it deletes, and the address that has to be typed. */
function EraseContactButton({ contact: { id, email } }: { contact: Schemas["Contact"] }) {
  const { t } = useTexts("contacts");
  const go = useNavigate();
  const erasure = useErasure();
  const erase = async () => {
    await erasure.mutateAsync(id);
    // Not to the list as it was: its search may name who is erased.
    await go("/contacts");
  };
  return (
    <ConfirmButton
      variant="outline"
      label={t("erasure.erase")}
      hint={t("erasure.hint")}
      typed={{ label: t("erasure.confirm", { email }), value: email, dir: "ltr" }}
      run={erase}
      done={t("erasure.done")}
    />
  );
}
