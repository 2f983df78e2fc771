/** One book in the grid. It is drawn again only if something of it changes: scrolling moves hundreds of cells. */
import { memo } from "react";
import { Link } from "react-router";
import type { Translate } from "../messages/texts.ts";
import { type GridBook, type GridChannel, isInherited, isOn, type WantedOfBook } from "./changes.ts";
import classes from "./grid.module.css";
import type { ShownLine } from "./shown-lines.ts";

/** A part of the grid: elements of tables can't be placed by a virtualiser. */
export const PART = "div";

interface GridRowProps {
  row: number;
  start: number;
  height: number;
  titleWidth: number;
  book: GridBook;
  channels: readonly GridChannel[];
  columns: readonly ShownLine[];
  columnWidth: number;
  /** The column out of sight that is shown in the row of the active cell only. */
  farColumn: number | undefined;
  wanted: WantedOfBook | undefined;
  /** The cell that the Tab key reaches, -1 for the title; undefined: in another row. */
  activeColumn: number | undefined;
  /** First and last column of the selection; undefined: none in this row. */
  from: number | undefined;
  to: number | undefined;
  t: Translate<"publications">;
}

/** The title in the language of the grid; those who don't read it know the book by its English one. */
const RowTitle = memo(function RowTitle({ book, noFile }: { book: GridBook; noFile: string }) {
  const { titleEn, title = titleEn, titleLanguageCode = "en" } = book;
  return (
    <>
      <Link
        to={`/books/${book.bookId}`}
        tabIndex={-1}
        className={classes.name}
        title={title}
        lang={titleLanguageCode}
        dir="auto"
      >
        {title}
      </Link>
      {title !== titleEn && (
        <span className={classes.english} title={titleEn} lang="en" dir="auto">
          {titleEn}
        </span>
      )}
      {book.available !== 1 && <span className={classes.noFile}>{noFile}</span>}
    </>
  );
});

const covers = ({ from = Number.POSITIVE_INFINITY, to = -1 }: GridRowProps, column: number) =>
  (column >= from && column <= to) || undefined;

/** The column out of sight is shown for its active cell only. */
const listShown = ({ columns, farColumn, activeColumn }: GridRowProps) =>
  columns.filter(({ index }) => index !== farColumn || index === activeColumn);

const stateOf = ({ book, channels, wanted }: GridRowProps, channel: number) => {
  if (isInherited(book, channel)) return "inherited";
  return isOn(book, channels, channel, wanted) ? "on" : "off";
};

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, start, height, titleWidth, book, channels, wanted, columnWidth, activeColumn, t } = props;
  const isSelected = (column: number) => covers(props, column);
  return (
    <PART
      role="row"
      aria-rowindex={row + 2}
      className={classes.row}
      style={{ height, transform: `translateY(${start}px)` }}
      data-row={row}
    >
      <PART
        role="rowheader"
        aria-colindex={1}
        tabIndex={activeColumn === -1 ? 0 : -1}
        className={classes.title}
        style={{ width: titleWidth }}
        data-column={-1}
        data-selected={isSelected(0) && isSelected(channels.length - 1)}
      >
        <RowTitle book={book} noFile={t("publications.noFile")} />
      </PART>
      {listShown(props).map(({ index, slot }) => {
        const state = stateOf(props, index);
        return (
          <PART
            key={slot}
            role="gridcell"
            aria-colindex={index + 2}
            aria-label={t(`publications.states.${state}`)}
            aria-selected={isSelected(index) ?? false}
            aria-readonly={state === "inherited" || undefined}
            tabIndex={activeColumn === index ? 0 : -1}
            className={classes.cell}
            style={{ insetInlineStart: titleWidth + index * columnWidth, width: columnWidth }}
            data-column={index}
            data-state={state}
            data-selected={isSelected(index)}
            data-pending={wanted?.has(channels[index]?.id ?? "") || undefined}
          />
        );
      })}
    </PART>
  );
});
