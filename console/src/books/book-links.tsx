/** The links to a book, whose code is loaded and which are read only when they are asked for. */
import { Button, Stack, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense } from "react";
import { useTexts } from "../messages/index.tsx";
import { lazyPart } from "../ui/lazy-page.tsx";
import { Loading } from "../ui/loading.tsx";

const LinkList = lazyPart(() => import("./link-list.tsx"));

export function BookLinks({ bookId }: { bookId: string }) {
  const { t } = useTexts("books");
  const [isOpen, { open }] = useDisclosure(false);
  return (
    <Stack component="section" aria-labelledby="links" align="start">
      <Title order={2} size="h3" id="links">
        {t("links.title")}
      </Title>
      {isOpen ? (
        <Suspense fallback={<Loading />}>
          <LinkList bookId={bookId} />
        </Suspense>
      ) : (
        <Button variant="default" onClick={open}>
          {t("links.show")}
        </Button>
      )}
    </Stack>
  );
}
