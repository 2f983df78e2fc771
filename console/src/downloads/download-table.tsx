/** Downloads, newest first, as rows. */
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import { BookCell, useDownloadColumns } from "./download-cells.tsx";
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
  const { time, book, place, device } = useDownloadColumns(timezone);
  return (
    <DataTable
      verticalSpacing="xs"
      aria-labelledby={labelledBy}
      rows={downloads}
      keyOf={({ id }) => id}
      columns={[
        time,
        {
          ...book,
          className: `${classes.text} ${classes.book}`,
          cell: (download) => (
            <>
              <BookCell download={download} />
              <div className={classes.contact}>
                <ContactCell download={download} />
              </div>
            </>
          ),
        },
        {
          head: t("downloads.contact"),
          from: "sm",
          className: classes.text,
          cell: (download) => <ContactCell download={download} />,
        },
        place,
        device,
        {
          head: t("downloads.link"),
          from: "md",
          className: classes.short,
          cell: ({ redeemedAt }) => (redeemedAt === null ? t("downloads.unused") : t("downloads.used")),
        },
      ]}
    />
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
      <Note>
        <bdi dir="ltr">{contactEmail}</bdi>
      </Note>
    </>
  );
}
