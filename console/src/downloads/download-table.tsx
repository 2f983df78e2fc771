/** Downloads, newest first, as rows. */
import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import classes from "./download-table.module.css";
import { downloadsMessages } from "./messages.ts";
import { DEVICE_TYPES } from "./queries.ts";

type Download = Schemas["DownloadEvent"];

interface DownloadTableProps {
  downloads: Download[];
  timezone: string;
  /** The heading that names the table. */
  labelledBy?: string;
}

export function DownloadTable({ downloads, timezone, labelledBy }: DownloadTableProps) {
  const { t } = useTexts(downloadsMessages);
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" aria-labelledby={labelledBy}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.downloads.time}</Table.Th>
            <Table.Th className={classes.book}>{t.downloads.book}</Table.Th>
            <Table.Th visibleFrom="sm">{t.downloads.contact}</Table.Th>
            <Table.Th visibleFrom="md">{t.downloads.place}</Table.Th>
            <Table.Th visibleFrom="md">{t.downloads.device}</Table.Th>
            <Table.Th visibleFrom="md">{t.downloads.link}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {downloads.map((download) => (
            <DownloadRow key={download.id} download={download} timezone={timezone} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function DownloadRow({ download, timezone }: { download: Download; timezone: string }) {
  const { t, formatTime, nameLanguage, nameCountry } = useTexts(downloadsMessages);
  const { bookId, languageCode, languageName, fileType, countryCode, countryName, city } = download;
  const device = DEVICE_TYPES.find((each) => each === download.deviceType) ?? "other";
  const title = download.isDownloadAll ? (
    t.downloads.allBooks(download.booksCount)
  ) : (
    <bdi>{download.bookTitle}</bdi>
  );
  return (
    <Table.Tr>
      <Table.Td className={classes.short}>{formatTime(download.downloadedAt, timezone)}</Table.Td>
      <Table.Td className={classes.text}>
        {bookId === null ? (
          title
        ) : (
          <Anchor component={Link} to={`/books/${bookId}`} c="inherit">
            {title}
          </Anchor>
        )}
        <Text size="sm" c="dimmed">
          {nameLanguage({ code: languageCode, name: languageName })} · <bdi dir="ltr">{fileType}</bdi>
        </Text>
        <div className={classes.contact}>
          <ContactCell download={download} />
        </div>
      </Table.Td>
      <Table.Td visibleFrom="sm" className={classes.text}>
        <ContactCell download={download} />
      </Table.Td>
      <Table.Td visibleFrom="md">
        {nameCountry(countryCode, countryName)}
        {city !== "" && (
          <Text size="sm" c="dimmed">
            <bdi>{city}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">
        {t.downloads.devices[device]}
        <Text size="sm" c="dimmed">
          <bdi>{download.browserName}</bdi>
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md" className={classes.short}>
        {download.redeemedAt === null ? t.downloads.unused : t.downloads.used}
      </Table.Td>
    </Table.Tr>
  );
}

function ContactCell({ download }: { download: Download }) {
  const canView = usePermission("view_contacts");
  const { contactId, contactEmail, contactFirstName, contactLastName } = download;
  if (contactId === null) return null;
  const name = [contactFirstName, contactLastName].filter((part) => part !== "").join(" ") || contactEmail;
  return (
    <>
      {canView ? (
        <Anchor component={Link} to={`/contacts/${contactId}`}>
          <bdi>{name}</bdi>
        </Anchor>
      ) : (
        <bdi>{name}</bdi>
      )}
      <Text size="sm" c="dimmed">
        <bdi dir="ltr">{contactEmail}</bdi>
      </Text>
    </>
  );
}
