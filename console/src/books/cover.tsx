/** The cover of a book in a small size, or its first letter where there is none. */
import { Center, Image, Text } from "@mantine/core";
import { useState } from "react";

interface CoverProps {
  bookId: string;
  title: string;
  width: number;
  /** For screen readers; empty where the title stands beside it. */
  alt: string;
  /** Changes when the cover does. */
  version: string;
}

export function Cover({ bookId, title, width, alt, version }: CoverProps) {
  const [failed, setFailed] = useState<string>();
  const src = `/api/admin/books/${encodeURIComponent(bookId)}/covers/default#${version}`;
  const height = width * 1.5;
  if (failed === src)
    return (
      <Center
        w={width}
        h={height}
        bg="var(--mantine-color-default-hover)"
        aria-hidden={alt === ""}
        role="img"
        aria-label={alt || undefined}
      >
        <Text fw={700} c="dimmed" aria-hidden>
          {[...title][0]}
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
      onError={() => setFailed(src)}
    />
  );
}
