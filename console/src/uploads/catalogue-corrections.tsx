/** What of a spreadsheet can't be read as it is: columns that aren't known, and cells with errors. */
import { Button, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useId, useState } from "react";
import { Problem } from "../api/client.ts";
import { FurtherPages, useLocalPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { Section } from "../ui/section.tsx";
import { correctCells, nameColumns, readRememberedColumns, useCatalogues } from "./catalogues.ts";
import { COLUMNS } from "./column-names.ts";
import { useDescribeBookError } from "./describe-left-out.ts";
import type { Plan } from "./drafts.ts";

const PREFIX = "catalogue.columns.";

interface UnknownColumn {
  text: string;
  suggestion: string | undefined;
}

/** Those for which a plan was rejected. */
export const listUnknownColumns = (error: unknown): UnknownColumn[] =>
  (error instanceof Problem ? error.fields : []).flatMap(({ path, suggestion }) =>
    path.startsWith(PREFIX) ? { text: path.slice(PREFIX.length), suggestion } : [],
  );

export function UnknownColumns({ columns }: { columns: readonly UnknownColumn[] }) {
  const { t } = useTexts("uploads");
  const id = useId();
  const [remembered] = useState(readRememberedColumns);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const nameOf = ({ text, suggestion = "" }: UnknownColumn) =>
    chosen[text] ?? remembered.get(text) ?? suggestion;
  const { areNamed } = useCatalogues();
  const areRemembered = !areNamed && columns.every(({ text }) => remembered.has(text));
  const use = () => nameColumns(new Map(columns.map((column) => [column.text, nameOf(column)])));
  useEffect(() => {
    if (areRemembered) use();
  });
  if (areRemembered) return null;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          {t("uploads.unknownColumns", { count: columns.length })}
        </Title>
        <Text c="dimmed">{t("uploads.unknownColumnsHint")}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          {columns.map((column) => (
            <NativeSelect
              key={column.text}
              label={<bdi>{column.text}</bdi>}
              value={nameOf(column)}
              data={[{ value: "", label: t("uploads.leaveColumnOut") }, ...COLUMNS]}
              onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [column.text]: value })}
            />
          ))}
        </SimpleGrid>
        <Button w="fit-content" onClick={use}>
          {t("uploads.useColumns")}
        </Button>
      </Stack>
    </Paper>
  );
}

const PAGE_SIZE = 10;

interface WrongCell {
  line: number;
  column: string;
  value: string;
  code: string;
  message: string;
}

/** The cells for which books of a plan can't be imported. */
const listWrongCells = ({ books }: Plan): WrongCell[] =>
  books.flatMap(({ errors }) =>
    errors.flatMap(({ line, column, value = "", code, message }) =>
      line === undefined || column === undefined ? [] : { line, column, value, code, message },
    ),
  );

export function WrongCells({ plan }: { plan: Plan }) {
  const { t } = useTexts("uploads");
  const id = useId();
  const cells = listWrongCells(plan);
  const { shown, pagination, change } = useLocalPages(cells, PAGE_SIZE);
  if (cells.length === 0) return null;
  return (
    <Section title={t("uploads.wrongCells", { count: cells.length })} id={id} gap="sm">
      {shown.map((cell) => (
        <CellField key={`${cell.line} ${cell.column} ${cell.value}`} cell={cell} />
      ))}
      <FurtherPages
        pagination={pagination}
        count={t("uploads.wrongCells", { count: cells.length })}
        change={change}
      />
    </Section>
  );
}

function CellField({ cell }: { cell: WrongCell }) {
  const { line, column, value } = cell;
  const describe = useDescribeBookError();
  const { t, formatNumber } = useTexts("uploads");
  const correct = (text: string) => {
    if (text !== value) correctCells([{ line, column, value: text }]);
  };
  return (
    <TextInput
      maw={480}
      label={t("uploads.cell", { line: formatNumber(line), column })}
      description={<bdi>{describe(cell).sentence}</bdi>}
      defaultValue={value}
      dir="auto"
      onBlur={({ currentTarget }) => correct(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Enter") correct(currentTarget.value);
      }}
    />
  );
}
