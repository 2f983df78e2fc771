/** The file by which books are planned. */
import { Checkbox, Group, NativeSelect, Paper, Stack } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";
import { Note } from "../ui/note.tsx";
import { type Catalogues, chooseCatalogue, ignoreColumns } from "./catalogues.ts";

export function CatalogueChoice({ catalogues, isDisabled }: { catalogues: Catalogues; isDisabled: boolean }) {
  const { t } = useTexts("uploads");
  const { files, chosen, ignoresColumns } = catalogues;
  const isTable = chosen !== undefined && !/\.json$/i.test(chosen.name);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group align="end">
          <NativeSelect
            label={t("uploads.catalogue")}
            value={chosen?.name ?? ""}
            disabled={isDisabled}
            data={[
              ...files.map(({ name }) => ({ value: name, label: name })),
              { value: "", label: t("uploads.noCatalogue") },
            ]}
            onChange={({ currentTarget: { value } }) => chooseCatalogue(value || undefined)}
          />
          {isTable && (
            <Checkbox
              mb="xs"
              label={t("uploads.ignoreColumns")}
              checked={ignoresColumns}
              disabled={isDisabled}
              onChange={({ currentTarget: { checked } }) => ignoreColumns(checked)}
            />
          )}
        </Group>
        {chosen && <Note>{t("uploads.catalogueHint")}</Note>}
      </Stack>
    </Paper>
  );
}
