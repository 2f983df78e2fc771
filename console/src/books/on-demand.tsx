/** Parts of a book's page whose code is loaded, and which are read, only when they are asked for. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, Suspense } from "react";
import type { Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { usePermission } from "../session/session.ts";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Section } from "../ui/section.tsx";

const BookChanges = lazyPart(() => import("./book-changes.tsx"), "audit");
const LinkList = lazyPart(() => import("./link-list.tsx"));

function OnDemand({ id, children }: { id: "history" | "links"; children: ReactNode }) {
  const { t } = useTexts("books");
  const [isOpen, { open }] = useDisclosure(false);
  return (
    <Section title={t(`${id}.title`)} id={id} align="start">
      {isOpen ? (
        <Suspense fallback={<Loading />}>{children}</Suspense>
      ) : (
        <Button variant="default" onClick={open}>
          {t(`${id}.show`)}
        </Button>
      )}
    </Section>
  );
}

export const BookLinks = ({ bookId }: { bookId: string }) => (
  <OnDemand id="links">
    <LinkList bookId={bookId} />
  </OnDemand>
);

/** For those who may see the log. */
export function BookHistory({ details }: { details: Schemas["BookDetails"] }) {
  const canView = usePermission("manage_users");
  if (!canView) return null;
  return (
    <OnDemand id="history">
      <BookChanges details={details} />
    </OnDemand>
  );
}
