/** What the image and the unit of docs/operation.md set beside the service's own settings. */

export const IMAGE_ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" } as const;
