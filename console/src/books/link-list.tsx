/** The addresses of a book by language and channel, with their QR codes to be saved. */
import { Anchor, Group } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { LoadedTable } from "../ui/data-table.tsx";

type BookLink = Schemas["BookLinks"]["links"][number];

/** Enough for print in the size of a hand. */
const PNG_SIZE = 1024;

const linksQuery = (bookId: string) =>
  queryOptions({
    queryKey: ["books", "links", bookId],
    queryFn: () => receive(api.GET("/api/admin/books/{bookId}/links", { params: { path: { bookId } } })),
  });

export default function LinkList({ bookId }: { bookId: string }) {
  const { t, nameLanguage } = useTexts("books");
  return (
    <LoadedTable
      query={useQuery(linksQuery(bookId))}
      rowsOf={({ links }) => links}
      empty={t("links.none")}
      keyOf={({ qrUrl }) => qrUrl}
      verticalSpacing="xs"
      place={{ w: "100%" }}
      aria-label={t("links.title")}
      columns={[
        { head: t("words.language"), cell: ({ languageCode: code }) => nameLanguage({ code }) },
        {
          head: t("words.channel"),
          cell: ({ channelSlug }) =>
            channelSlug === null ? t("links.noChannel") : <bdi dir="ltr">{channelSlug}</bdi>,
        },
        {
          head: t("links.address"),
          cell: ({ url }) => (
            <Anchor href={url} target="_blank" rel="noreferrer" style={{ overflowWrap: "anywhere" }}>
              <bdi dir="ltr">{url}</bdi>
            </Anchor>
          ),
        },
        { head: t("links.codes"), cell: (link) => <Codes link={link} /> },
      ]}
    />
  );
}

function Codes({ link: { languageCode, channelSlug, qrUrl } }: { link: BookLink }) {
  const { t, nameLanguage } = useTexts("books");
  const language = nameLanguage({ code: languageCode });
  const place = channelSlug === null ? language : `${language}, ${channelSlug}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor href={qrUrl} download aria-label={t("links.svgOf", { place })}>
        SVG
      </Anchor>
      <Anchor href={`${qrUrl}&format=png&size=${PNG_SIZE}`} download aria-label={t("links.pngOf", { place })}>
        PNG
      </Anchor>
    </Group>
  );
}
