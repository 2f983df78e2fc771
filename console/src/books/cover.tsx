/** The cover of a book as readers see it, which is drawn where there is none; for other books the one that it has. */
import { Center, Image, Text } from "@mantine/core";
import { useState } from "react";

interface CoverProps {
  book: { id: string; slug: string; titleEn: string };
  width: number;
  /** For screen readers; empty where the title stands beside it. */
  alt: string;
  /** Changes when the cover does. */
  version: string;
}

/** A width that the service makes, enough for screens with two pixels a point. */
const chooseServedWidth = (width: number): number => (width > 80 ? 320 : 160);

export function Cover({ book, width, alt, version }: CoverProps) {
  const [failed, setFailed] = useState<readonly string[]>([]);
  const sources = [
    `/api/books/${encodeURIComponent(book.slug)}/cover?width=${chooseServedWidth(width)}#${version}`,
    `/api/admin/books/${encodeURIComponent(book.id)}/covers/default#${version}`,
  ];
  const src = sources.find((source) => !failed.includes(source));
  const height = width * 1.5;
  if (src === undefined)
    return (
      <Center
        w={width}
        h={height}
        bg="var(--mantine-color-default-hover)"
        {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
      >
        <Text fw={700} c="dimmed" aria-hidden>
          {[...book.titleEn][0]}
        </Text>
      </Center>
    );
  return (
    <Image
      src={src}
      w={width}
      h={height}
      fit="contain"
      alt={alt}
      loading="lazy"
      onError={() => setFailed([...failed, src])}
    />
  );
}

interface LanguageCoverProps extends Pick<CoverProps, "alt" | "version"> {
  bookId: string;
  code: string;
}

/** The cover that a language has of its own. */
export function LanguageCover({ bookId, code, alt, version }: LanguageCoverProps) {
  const path = `/api/admin/books/${encodeURIComponent(bookId)}/covers/${encodeURIComponent(code)}`;
  return <Image src={`${path}#${version}`} w={80} h={120} fit="contain" alt={alt} />;
}
