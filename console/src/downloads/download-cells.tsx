/** The cells that every table of downloads has. */
import { Anchor, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import classes from "./download-table.module.css";
import { DEVICE_TYPES } from "./queries.ts";

interface CellProps {
  download: Schemas["ContactEvent"] & { bookId?: string | null };
}

export function TimeCell({ download, timezone }: CellProps & { timezone?: string | undefined }) {
  const { formatTime } = useTexts();
  return <Table.Td className={classes.short}>{formatTime(download.downloadedAt, timezone)}</Table.Td>;
}

/** @param children below the title and the language */
export function BookCell({ download, children }: CellProps & { children?: ReactNode }) {
  const { t, nameLanguage } = useTexts("downloads");
  const { bookId = null, languageCode, languageName, fileType } = download;
  const title = download.isDownloadAll ? (
    t("downloads.allBooks", { count: download.booksCount })
  ) : (
    <bdi>{download.bookTitle}</bdi>
  );
  return (
    <Table.Td className={classes.text}>
      {bookId === null ? (
        title
      ) : (
        <Anchor component={Link} to={`/books/${bookId}`} c="inherit">
          {title}
        </Anchor>
      )}
      <Text size="sm" c="dimmed">
        {nameLanguage({ code: languageCode, name: languageName })} ·{" "}
        <bdi dir="ltr">{fileType.toUpperCase()}</bdi>
      </Text>
      {children}
    </Table.Td>
  );
}

export function PlaceCell({ download: { countryCode, countryName, city } }: CellProps) {
  const { nameCountry } = useTexts();
  return (
    <Table.Td visibleFrom="md">
      {nameCountry(countryCode, countryName)}
      {city !== "" && (
        <Text size="sm" c="dimmed">
          <bdi>{city}</bdi>
        </Text>
      )}
    </Table.Td>
  );
}

export function DeviceCell({ download: { deviceType, browserName } }: CellProps) {
  const { t } = useTexts("downloads");
  const device = DEVICE_TYPES.find((each) => each === deviceType) ?? "other";
  return (
    <Table.Td visibleFrom="md">
      {t(`downloads.devices.${device}`)}
      <Text size="sm" c="dimmed">
        <bdi>{browserName}</bdi>
      </Text>
    </Table.Td>
  );
}
