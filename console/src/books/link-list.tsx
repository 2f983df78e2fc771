/** The addresses of a book by language and channel, with their QR codes to be saved. */
import { Anchor, Group, Table } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, receive, type Schemas } from "../api/client.ts";
import { useTexts } from "../messages/index.tsx";
import { Loaded } from "../shell/loaded.tsx";

type BookLink = Schemas["BookLinks"]["links"][number];

/** Enough for print in the size of a hand. */
const PNG_SIZE = 1024;

const linksQuery = (bookId: string) =>
  queryOptions({
    queryKey: ["books", "links", bookId],
    queryFn: () => receive(api.GET("/api/admin/books/{bookId}/links", { params: { path: { bookId } } })),
  });

export default function LinkList({ bookId }: { bookId: string }) {
  const { t } = useTexts("books");
  const query = useQuery(linksQuery(bookId));
  return (
    <Loaded query={query} empty={{ when: ({ links }) => links.length === 0, text: t("links.none") }}>
      {({ links }) => <LinkTable links={links} />}
    </Loaded>
  );
}

function LinkTable({ links }: { links: readonly BookLink[] }) {
  const { t } = useTexts("books");
  return (
    <Table.ScrollContainer minWidth={0} type="native" w="100%">
      <Table verticalSpacing="xs" aria-label={t("links.title")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("links.language")}</Table.Th>
            <Table.Th>{t("links.channel")}</Table.Th>
            <Table.Th>{t("links.address")}</Table.Th>
            <Table.Th>{t("links.codes")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <LinkRow key={link.qrUrl} link={link} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function LinkRow({ link: { languageCode, channelSlug, url, qrUrl } }: { link: BookLink }) {
  const { t, nameLanguage } = useTexts("books");
  const language = nameLanguage({ code: languageCode });
  const place = channelSlug === null ? language : `${language}, ${channelSlug}`;
  return (
    <Table.Tr>
      <Table.Td>{language}</Table.Td>
      <Table.Td>{channelSlug === null ? t("links.noChannel") : <bdi dir="ltr">{channelSlug}</bdi>}</Table.Td>
      <Table.Td>
        <Anchor href={url} target="_blank" rel="noreferrer" style={{ overflowWrap: "anywhere" }}>
          <bdi dir="ltr">{url}</bdi>
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Anchor href={qrUrl} download aria-label={t("links.svgOf", { place })}>
            SVG
          </Anchor>
          <Anchor
            href={`${qrUrl}&format=png&size=${PNG_SIZE}`}
            download
            aria-label={t("links.pngOf", { place })}
          >
            PNG
          </Anchor>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
