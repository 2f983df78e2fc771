/** The library for readers: its settings, its texts and its logo. */

/** Whether the form asks for a field, and requires it. */
export const CONTACT_FIELD_RULES = ["off", "optional", "required"] as const;
export type ContactFieldRule = (typeof CONTACT_FIELD_RULES)[number];
