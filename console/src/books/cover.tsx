/** Covers of books: as readers see them, which are drawn where there is none, also of books that readers don't find. */
import { Center, Image, Text } from "@mantine/core";
import { useState } from "react";
import { coverPath } from "./queries.ts";

/** The images of which the service makes covers. */
export const COVER_TYPES = "image/jpeg,image/png,image/webp,image/gif";

interface CoverProps {
  book: { id: string; titleEn: string };
  width: number;
  /** For screen readers; empty where the title stands beside it. */
  alt: string;
  /** Changes when the cover does. */
  version: string;
  /** `eager` where it is printed: then it is read also before it is in sight. */
  loading?: "lazy" | "eager";
}

/** A width that the service makes, enough for screens with two pixels a point. */
const chooseServedWidth = (width: number): number => (width > 80 ? 320 : 160);

export function Cover({ book, width, alt, version, loading = "lazy" }: CoverProps) {
  const [failed, setFailed] = useState<string>();
  const src = `${coverPath(book.id, "default")}?width=${chooseServedWidth(width)}&fallback=true#${version}`;
  const look = {
    w: width,
    h: width * 1.5,
    flex: "none",
    bg: "var(--mantine-color-default-hover)",
  } as const;
  if (src === failed)
    return (
      <Center {...look} {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}>
        <Text fw={700} c="dimmed" aria-hidden>
          {[...book.titleEn][0]}
        </Text>
      </Center>
    );
  return (
    <Image {...look} src={src} fit="contain" alt={alt} loading={loading} onError={() => setFailed(src)} />
  );
}

interface LanguageCoverProps extends Pick<CoverProps, "alt" | "version"> {
  bookId: string;
  code: string;
}

/** The cover that a language has of its own. */
export function LanguageCover({ bookId, code, alt, version }: LanguageCoverProps) {
  return <Image src={`${coverPath(bookId, code)}#${version}`} w={80} h={120} fit="contain" alt={alt} />;
}
