/** Makes books of files and folders: recognised and planned by the service, corrected by a person, then stored. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../shell/loaded.tsx";
import { PermittedPage } from "../shell/page.tsx";
import { DraftTable } from "./draft-table.tsx";
import { draftByPlan, findCovers } from "./drafts.ts";
import { DropArea } from "./drop-area.tsx";
import type { FoundFile } from "./dropped-files.ts";
import { uploadsMessages } from "./messages.ts";
import { type Catalogue, isCatalogue, listPlanned, planQuery } from "./plan.ts";
import { isBusy, type Queue } from "./queue.ts";
import { QueueList } from "./queue-list.tsx";
import { addFiles, useQueue, useRefreshAfter } from "./upload-store.ts";

export default function ImportPage() {
  const { t } = useTexts(uploadsMessages);
  const queue = useQueue(undefined);
  useRefreshAfter(queue);
  const [catalogue, setCatalogue] = useState<Catalogue>();
  const add = async (found: FoundFile[]) => {
    const described = found.find(({ path }) => isCatalogue(path));
    if (described) setCatalogue({ name: described.path, text: await described.file.text() });
    await addFiles(found.filter(({ path }) => !isCatalogue(path)));
  };
  return (
    <PermittedPage permission="edit_books" title={t.uploads.title}>
      <Text maw={720}>{t.uploads.intro}</Text>
      <DropArea title={t.uploads.drop} add={add} />
      {catalogue && (
        <Alert color="blue">
          <Group justify="space-between">
            {t.uploads.catalogue(catalogue.name)}
            <Button size="compact-sm" variant="default" onClick={() => setCatalogue(undefined)}>
              {t.uploads.ignoreCatalogue}
            </Button>
          </Group>
        </Alert>
      )}
      {queue.length > 0 && (
        <>
          <QueueList queue={queue} />
          <PlannedDrafts queue={queue} catalogue={catalogue} />
        </>
      )}
    </PermittedPage>
  );
}

/** Once everything is examined: only all files together say which books they are. */
function PlannedDrafts({ queue, catalogue }: { queue: Queue; catalogue: Catalogue | undefined }) {
  const { t } = useTexts(uploadsMessages);
  // While files are stored, the plan stays as it is.
  const files = useMemo(() => listPlanned(queue), [queue]);
  const isExamining = isBusy(queue) && queue.every(({ status }) => status !== "storing");
  const query = useQuery({
    ...planQuery(files, catalogue),
    enabled: !isExamining && files.length > 0,
    placeholderData: (former) => former,
  });
  if (files.length === 0 || (isExamining && query.data === undefined)) return null;
  return (
    <Loaded query={query}>
      {(plan) => {
        const drafts = draftByPlan(queue, plan, t.uploads.keeps);
        return (
          drafts.length > 0 && (
            <DraftTable drafts={drafts} covers={findCovers(queue, plan, drafts)} hasBook={false} />
          )
        );
      }}
    </Loaded>
  );
}
