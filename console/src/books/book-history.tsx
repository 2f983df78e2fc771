/** The history of a book, whose code is loaded and which is read only when it is asked for. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Section } from "../ui/section.tsx";

const BookChanges = lazyPart(() => import("./book-changes.tsx"), "audit");

export function BookHistory({ details }: { details: Schemas["BookDetails"] }) {
  const { t } = useTexts("books");
  const canView = usePermission("manage_users");
  const [isOpen, { open }] = useDisclosure(false);
  if (!canView) return null;
  return (
    <Section title={t("history.title")} id="history" align="start">
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <BookChanges details={details} />
        </Suspense>
      ) : (
        <Button variant="default" onClick={open}>
          {t("history.show")}
        </Button>
      )}
    </Section>
  );
}
