/** Whether tests try all variants of a rule: each night. Otherwise a selection in which each value is at least once. */
export const ALL_VARIANTS = process.env.ALL_VARIANTS === "true";
