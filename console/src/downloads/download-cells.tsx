/** The columns that every table of downloads has. */
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Note } from "../ui/note.tsx";
import classes from "./download-table.module.css";
import { DEVICE_TYPES } from "./queries.ts";

type Download = Schemas["ContactEvent"] & { bookId?: string | null };

/** @param timezone undefined: the user's */
export function useDownloadColumns(timezone?: string) {
  const { t, formatTime } = useTexts("downloads");
  return {
    time: {
      head: t("downloads.time"),
      className: classes.short,
      cell: ({ downloadedAt }) => formatTime(downloadedAt, timezone),
    },
    book: {
      head: t("words.book"),
      className: classes.text,
      cell: (download) => <BookCell download={download} />,
    },
    place: {
      head: t("downloads.place"),
      from: "md",
      cell: (download) => <PlaceCell download={download} />,
    },
    device: {
      head: t("words.device"),
      from: "md",
      cell: (download) => <DeviceCell download={download} />,
    },
  } satisfies Record<string, Column<Download>>;
}

interface CellProps {
  download: Download;
}

export function BookCell({ download }: CellProps) {
  const { t, nameLanguage } = useTexts("downloads");
  const { bookId = null, languageCode, languageName, fileType } = download;
  const title = download.isDownloadAll ? (
    t("downloads.allBooks", { count: download.booksCount })
  ) : (
    <bdi>{download.bookTitle}</bdi>
  );
  return (
    <>
      {bookId === null ? (
        title
      ) : (
        <Anchor component={Link} to={`/books/${bookId}`} c="inherit">
          {title}
        </Anchor>
      )}
      <Note>
        {nameLanguage({ code: languageCode, name: languageName })} ·{" "}
        <bdi dir="ltr">{fileType.toUpperCase()}</bdi>
      </Note>
    </>
  );
}

function PlaceCell({ download: { countryCode, countryName, city } }: CellProps) {
  const { nameCountry } = useTexts();
  return (
    <>
      {nameCountry(countryCode, countryName)}
      {city !== "" && (
        <Note>
          <bdi>{city}</bdi>
        </Note>
      )}
    </>
  );
}

function DeviceCell({ download: { deviceType, browserName } }: CellProps) {
  const { t } = useTexts("downloads");
  const device = DEVICE_TYPES.find((each) => each === deviceType) ?? "other";
  return (
    <>
      {t(`downloads.devices.${device}`)}
      <Note>
        <bdi>{browserName}</bdi>
      </Note>
    </>
  );
}
