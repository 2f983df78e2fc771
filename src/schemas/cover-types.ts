/** The kinds of image that covers are uploaded in and sent in, and the widths they are sent at. */

/** What may be uploaded, and is kept as it came. */
export const COVER_UPLOAD_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;
export type CoverUploadType = (typeof COVER_UPLOAD_TYPES)[number];

/** What a cover may be sent as. */
export const COVER_CONTENT_TYPES = [...COVER_UPLOAD_TYPES, "image/avif"] as const;
export type CoverContentType = (typeof COVER_CONTENT_TYPES)[number];

/** In pixels. A cover that is narrower is never enlarged. */
export const COVER_WIDTHS = [160, 320, 640, 1200] as const;
export type CoverWidth = (typeof COVER_WIDTHS)[number];

export const MAX_COVER_BYTES = 10 * 1024 * 1024;
