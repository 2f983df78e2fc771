/** Downloads, newest first, as rows. */
import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { BookCell, DeviceCell, PlaceCell, TimeCell } from "./download-cells.tsx";
import classes from "./download-table.module.css";

type Download = Schemas["DownloadEvent"];

interface DownloadTableProps {
  downloads: Download[];
  timezone: string;
  /** The heading that names the table. */
  labelledBy?: string;
}

export function DownloadTable({ downloads, timezone, labelledBy }: DownloadTableProps) {
  const { t } = useTexts("downloads");
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table verticalSpacing="xs" aria-labelledby={labelledBy}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("downloads.time")}</Table.Th>
            <Table.Th className={classes.book}>{t("downloads.book")}</Table.Th>
            <Table.Th visibleFrom="sm">{t("downloads.contact")}</Table.Th>
            <Table.Th visibleFrom="md">{t("downloads.place")}</Table.Th>
            <Table.Th visibleFrom="md">{t("downloads.device")}</Table.Th>
            <Table.Th visibleFrom="md">{t("downloads.link")}</Table.Th>
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
  const { t } = useTexts("downloads");
  return (
    <Table.Tr>
      <TimeCell download={download} timezone={timezone} />
      <BookCell download={download}>
        <div className={classes.contact}>
          <ContactCell download={download} />
        </div>
      </BookCell>
      <Table.Td visibleFrom="sm" className={classes.text}>
        <ContactCell download={download} />
      </Table.Td>
      <PlaceCell download={download} />
      <DeviceCell download={download} />
      <Table.Td visibleFrom="md" className={classes.short}>
        {download.redeemedAt === null ? t("downloads.unused") : t("downloads.used")}
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
