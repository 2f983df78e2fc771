/** Makes books of files and folders: recognised and planned by the service, corrected by a person, then stored by the service. */
import { Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { ImportsSection } from "../imports/imports-section.tsx";
import { importsQuery } from "../imports/queries.ts";
import { useTexts } from "../messages/index.tsx";
import { PermittedPage } from "../session/permitted-page.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { useCatalogues } from "./catalogues.ts";
import { useOwnImports } from "./collecting.ts";
import { DropArea } from "./drop-area.tsx";
import { addFiles, useIsAdding, useQueue } from "./upload-store.ts";

const ImportFiles = lazyPart(() => import("./import-files.tsx"));

export default function ImportPage() {
  const { t } = useTexts("uploads");
  const queue = useQueue(undefined);
  // Read where the queue is: a spreadsheet isn't alone while the files beside it are added.
  const isAdding = useIsAdding();
  const catalogues = useCatalogues();
  usePastedTables();
  const own = useOwnImports();
  const hasSomething = queue.length > 0 || catalogues.chosen !== undefined;
  const queries = useQueryClient();
  useEffect(() => {
    if (own.collecting !== undefined) void queries.invalidateQueries(importsQuery);
  }, [own, queries]);
  return (
    <PermittedPage permission="edit_books" title={t("nav.import")}>
      <Text maw={720}>{t("uploads.intro")}</Text>
      <DropArea hint={t("uploads.pasteHint")} add={addFiles} />
      {(hasSomething || catalogues.files.length > 0) && (
        <Suspense fallback={<Loading />}>
          <ImportFiles queue={queue} isAdding={isAdding} />
        </Suspense>
      )}
      <ImportsSection hidden={hasSomething ? own.collecting : undefined} opened={own.started} />
    </PermittedPage>
  );
}

const PASTED = "pasted.csv";

/** A table that was copied in a spreadsheet program, and is pasted anywhere but into a field. */
function usePastedTables(): void {
  useEffect(() => {
    const take = (event: ClipboardEvent) => {
      const { target, clipboardData } = event;
      const text = clipboardData?.getData("text/plain") ?? "";
      const isInField =
        target instanceof Element && target.closest("input, textarea, [role=dialog]") !== null;
      if (isInField || !/\t.*\n/.test(text)) return;
      event.preventDefault();
      void addFiles([{ path: PASTED, file: new File([text], PASTED, { type: "text/csv" }) }]);
    };
    window.addEventListener("paste", take);
    return () => window.removeEventListener("paste", take);
  }, []);
}
