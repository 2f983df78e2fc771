/** The history of a book, whose code is loaded and which is read only when it is asked for. */
import { Button, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";

const BookChanges = lazyPart(() => import("./book-changes.tsx"), "audit");

export function BookHistory({ details }: { details: Schemas["BookDetails"] }) {
  const { t } = useTexts("books");
  const canView = usePermission("manage_users");
  const [isOpen, { open }] = useDisclosure(false);
  if (!canView) return null;
  return (
    <Stack component="section" aria-labelledby="history" align="start">
      <Title order={2} size="h3" id="history">
        {t("history.title")}
      </Title>
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <BookChanges details={details} />
        </Suspense>
      ) : (
        <Button variant="default" onClick={open}>
          {t("history.show")}
        </Button>
      )}
    </Stack>
  );
}
