/** The readers who requested downloads, and the lists of them for newsletters. */
import { Badge, Button, Menu, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { BookChoice } from "../books/book-choice.tsx";
import { RangeFields } from "../dates/range-fields.tsx";
import { LanguageChoice } from "../languages/language-choice.tsx";
import { readPage } from "../lib/address.ts";
import { FilterText } from "../lists/filter-text.tsx";
import { Filters } from "../lists/filters.tsx";
import { PagedList } from "../lists/paged-list.tsx";
import { useTexts } from "../messages/index.tsx";
import { readZone } from "../messages/zones.ts";
import { PermittedPage } from "../session/permitted-page.tsx";
import { useConfirmsAddresses, usePermission } from "../session/session.ts";
import { DataTable } from "../ui/data-table.tsx";
import { RecordLink } from "../ui/list-links.tsx";
import { Note } from "../ui/note.tsx";
import { type Address, useAddress } from "../ui/use-address.ts";
import { nameContact } from "./name-contact.ts";
import {
  type ContactFilter,
  contactExportPath,
  contactListQuery,
  EXPORT_FORMATS,
  MARKETING,
  readFilter,
  VERIFIED,
} from "./queries.ts";

type Contact = Schemas["ListedContact"];

export default function ContactsPage() {
  const { t } = useTexts("contacts");
  const address = useAddress();
  const { query, change } = address;
  const timezone = readZone(query);
  const filter = readFilter(query, timezone);
  const canView = usePermission("view_contacts");
  const list = useQuery({ ...contactListQuery(filter, timezone, readPage(query)), enabled: canView });
  return (
    <PermittedPage
      permission="view_contacts"
      title={t("nav.contacts")}
      actions={<ExportMenu filter={filter} timezone={timezone} />}
    >
      <ContactFilters filter={filter} timezone={timezone} query={query} change={change} />
      <PagedList query={list} address={address} rowsOf={({ contacts }) => contacts} list="contacts">
        {(contacts) => <ContactTable contacts={contacts} timezone={timezone} />}
      </PagedList>
    </PermittedPage>
  );
}

interface FilterProps {
  filter: ContactFilter;
  timezone: string;
}

function ContactFilters({
  filter,
  timezone,
  query,
  change,
}: FilterProps & Pick<Address, "query" | "change">) {
  const { t } = useTexts("contacts");
  const { search, marketing, verified, languageId, bookId, country, city, utmCampaign, ...range } = filter;
  const isRangeUsed = Object.values(range).some((day) => day !== "");
  const more = [bookId, country, city, utmCampaign].filter((value) => value !== "");
  const text = (name: "country" | "city" | "utmCampaign") => ({
    value: filter[name],
    change: (value: string) => change({ [name]: value }),
  });
  return (
    <Filters
      list="contacts"
      moreInUse={more.length + Number(isRangeUsed)}
      more={
        <>
          <BookChoice value={bookId} change={(id) => change({ bookId: id })} />
          <FilterText label={t("words.country")} {...text("country")} />
          <FilterText label={t("contacts.city")} {...text("city")} />
          <FilterText label={t("contacts.campaign")} {...text("utmCampaign")} />
          <RangeFields range={range} timezone={timezone} query={query} change={change} />
        </>
      }
    >
      <FilterText
        wrapperProps={{ "data-wide": true }}
        type="search"
        label={t("words.search")}
        placeholder={t("contacts.searchHint")}
        value={search}
        change={(value) => change({ search: value })}
      />
      <MarketingFilter marketing={marketing} change={change} />
      <VerifiedFilter verified={verified} change={change} />
      <LanguageChoice value={languageId} change={(id) => change({ languageId: id })} />
    </Filters>
  );
}

function MarketingFilter({ marketing, change }: Pick<ContactFilter, "marketing"> & Pick<Address, "change">) {
  const { t } = useTexts("contacts");
  const confirms = useConfirmsAddresses();
  const offered = MARKETING.filter((value) => confirms || value !== "pending" || value === marketing);
  return (
    <NativeSelect
      label={t("contacts.marketing")}
      value={marketing}
      data={[
        { value: "", label: t("contacts.any") },
        ...offered.map((value) => ({ value, label: t(`contacts.marketings.${value}`) })),
      ]}
      onChange={({ currentTarget }) => change({ marketing: currentTarget.value })}
    />
  );
}

/** Without confirmations, only where an address of this page asks for it. */
function VerifiedFilter({ verified, change }: Pick<ContactFilter, "verified"> & Pick<Address, "change">) {
  const { t } = useTexts("contacts");
  const confirms = useConfirmsAddresses();
  if (!confirms && verified === "") return null;
  return (
    <NativeSelect
      label={t("contacts.verified")}
      value={verified}
      data={[
        { value: "", label: t("contacts.any") },
        ...VERIFIED.map((value) => ({ value, label: t(`contacts.verifieds.${value}`) })),
      ]}
      onChange={({ currentTarget }) => change({ verified: currentTarget.value })}
    />
  );
}

/** Exports contain all filtered contacts, not only this page. */
function ExportMenu({ filter, timezone }: FilterProps) {
  const { t } = useTexts("contacts");
  const isForNewsletters = filter.marketing === "" || filter.marketing === "yes";
  return (
    <Menu withinPortal={false} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default">{t("contacts.export")}</Button>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        {EXPORT_FORMATS.filter((format) => format === "csv" || isForNewsletters).map((format) => (
          <Menu.Item key={format} component="a" href={contactExportPath(filter, timezone, format)} download>
            {t(`contacts.formats.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ContactTable({ contacts, timezone }: { contacts: Contact[]; timezone: string }) {
  const { t, formatNumber, formatTime } = useTexts("contacts");
  return (
    <DataTable
      verticalSpacing="xs"
      highlightOnHover
      rows={contacts}
      keyOf={({ id }) => id}
      columns={[
        { head: t("contacts.contact"), cell: (contact) => <NameCell contact={contact} /> },
        {
          head: t("contacts.marketing"),
          cell: (contact) => <MarketingCell contact={contact} timezone={timezone} />,
        },
        { head: t("words.country"), from: "md", cell: ({ country }) => <bdi>{country}</bdi> },
        {
          head: t("words.downloads"),
          from: "sm",
          isNumber: true,
          cell: ({ totalDownloads }) => formatNumber(totalDownloads),
        },
        {
          head: t("contacts.lastDownload"),
          from: "sm",
          cell: ({ lastDownloadAt }) => formatTime(lastDownloadAt, timezone),
        },
      ]}
    />
  );
}

function NameCell({ contact }: { contact: Contact }) {
  const { t } = useTexts("contacts");
  const confirms = useConfirmsAddresses();
  return (
    <>
      <RecordLink to={`/contacts/${contact.id}`}>{nameContact(contact)}</RecordLink>
      <Note style={{ overflowWrap: "anywhere" }}>
        <bdi dir="ltr">{contact.email}</bdi>
        {confirms && <> · {t(`contacts.verifieds.${contact.verifiedAt ? "true" : "false"}`)}</>}
      </Note>
    </>
  );
}

function MarketingCell({ contact, timezone }: { contact: Contact; timezone: string }) {
  const { formatTime } = useTexts();
  return (
    <>
      <MarketingBadge marketing={contact.marketing} />
      {contact.marketingAt !== null && (
        <Note visibleFrom="sm">{formatTime(contact.marketingAt, timezone)}</Note>
      )}
    </>
  );
}

/** Whether a contact allows marketing, in a word and a colour. */
function MarketingBadge({ marketing }: { marketing: string }) {
  const { t } = useTexts("contacts");
  const known = MARKETING.find((each) => each === marketing) ?? "unknown";
  const look =
    known === "yes"
      ? { color: "teal.9" }
      : known === "conflict"
        ? { color: "red.9" }
        : { variant: "default" };
  return (
    <Badge {...look} miw="max-content">
      {t(`contacts.marketings.${known}`)}
    </Badge>
  );
}
