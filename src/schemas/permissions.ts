/** What a caller may do, and which roles may do what. */

export const PERMISSIONS = [
  "view_books",
  "edit_books",
  "view_languages",
  "edit_languages",
  "view_channels",
  "edit_channels",
  "view_contacts",
  "edit_contacts",
  "view_analytics",
  "manage_api_keys",
  "manage_settings",
  "manage_users",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ["admin", "editor", "analyst", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** What a key for the catalogue may be given; a new key gets both unless it says otherwise. */
export const CATALOGUE_SCOPES = ["view_books", "edit_books"] as const satisfies readonly Permission[];
/** Sending in the download forms of readers: no permission of a role, and nothing of the catalogue. */
export const SUBMIT_SCOPE = "submit_downloads";

/** What an API key may be given. */
export const API_KEY_SCOPES = [...CATALOGUE_SCOPES, SUBMIT_SCOPE] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** What an operation may ask of a caller. */
export type Grant = Permission | ApiKeyScope;

export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  admin: PERMISSIONS,
  editor: ["view_books", "edit_books", "view_languages", "edit_languages", "view_channels", "edit_channels"],
  analyst: ["view_books", "view_languages", "view_channels", "view_contacts", "view_analytics"],
  viewer: ["view_books", "view_languages", "view_channels"],
};
