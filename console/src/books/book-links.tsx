/** The links to a book, whose code is loaded and which are read only when they are asked for. */
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { useTexts } from "../messages/index.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Section } from "../ui/section.tsx";

const LinkList = lazyPart(() => import("./link-list.tsx"));

export function BookLinks({ bookId }: { bookId: string }) {
  const { t } = useTexts("books");
  const [isOpen, { open }] = useDisclosure(false);
  return (
    <Section title={t("links.title")} id="links" align="start">
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <LinkList bookId={bookId} />
        </Suspense>
      ) : (
        <Button variant="default" onClick={open}>
          {t("links.show")}
        </Button>
      )}
    </Section>
  );
}
