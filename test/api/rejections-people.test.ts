/** What operations on people reject by their fields: accounts, keys, contacts, readers' forms, and the logs of them. */
import { describeRejections, type Rejection } from "../support/rejections.ts";

const x = (count: number): string => "x".repeat(count);

const KEY = { name: "x" };
const FORM = {
  slug: "the-deep-well",
  languageCode: "es",
  contact: { email: "a@example.org", firstName: "Ana" },
};
const named = (firstName: unknown) => ({ ...FORM, contact: { ...FORM.contact, firstName } });

const READ_ONLY = { id: "1", passwordHash: "x", permissions: [], createdAt: "2020-01-01T00:00:00.000Z" };
const USER: readonly Rejection[] = [
  [
    { email: "x@", name: " ", role: "owner", isActive: "1", ...READ_ONLY },
    "email invalid_email",
    "name too_small",
    "role invalid_value",
    "isActive invalid_value",
    ...Object.keys(READ_ONLY).map((name) => `${name} unknown_field`),
  ],
];
const user = { email: "ben@example.org", name: "Ben", role: "viewer", password: "a long enough pass phrase" };

const AUDIT: readonly Rejection[] = [
  [
    "?actorKind=admin&actorId=a&actorId=b&action=look",
    "actorKind invalid_value",
    "actorId invalid_type",
    "action invalid_value",
  ],
  ["?objectKind=Book&objectId=a&objectId=b", "objectKind invalid_value", "objectId invalid_type"],
  ["?requestId=%00&startDate=2026-02-30", "requestId invalid_characters", "startDate impossible_date"],
  ["?timezone=Mars/Base&colour=red", "timezone unknown_timezone", "colour unknown_field"],
  ["?startDate=2026-03-02&endDate=2026-03-01", "endDate end_before_start"],
  ["?action=update&action=create", "action invalid_value"],
];

describeRejections(
  {
    "POST /api/auth/login": [
      [
        { email: "not an address", role: "admin", id: "1" },
        "email invalid_email",
        "id unknown_field",
        "password invalid_type",
        "role unknown_field",
      ],
    ],
    "PUT /api/auth/password": [
      [
        { newPassword: "eleven char", role: "admin" },
        "currentPassword invalid_type",
        "newPassword too_small",
        "role unknown_field",
      ],
      [{ currentPassword: "x", newPassword: x(257) }, "newPassword too_big"],
      ...["Password1234", "123456789012", "qwertyuiop12", "aaaaaaaaaaaa"].map(
        (newPassword): Rejection => [{ currentPassword: "x", newPassword }, "newPassword common_password"],
      ),
    ],
    "POST /api/auth/password-reset": [
      [{ email: "unknown" }, "email invalid_email"],
      [{ password: "x" }, "email invalid_type", "password unknown_field"],
    ],
    "POST /api/admin/users": [
      [{}, "email invalid_type", "name invalid_type", "password invalid_type", "role invalid_value"],
      [{ ...user, password: "Password1234" }, "password common_password"],
      [{ ...user, name: x(201) }, "name too_big"],
    ],
    "PUT /api/admin/users/{userId}": [...USER, [{ password: "administrator1" }, "password common_password"]],
    "PUT /api/admin/users/nothing": [[{ name: "x" }, 404, "user_not_found"]],
    "PUT /api/admin/users/'%20or%201=1%20--": [[{ name: "x" }, 404, "user_not_found"]],
    "POST /api/admin/api-keys": [
      [{ name: "", scopes: [] }, "name too_small", "scopes too_small"],
      [
        { ...KEY, scopes: ["manage_users", "VIEW_BOOKS"] },
        "scopes.0 invalid_value",
        "scopes.1 invalid_value",
      ],
      [{ ...KEY, key: "bds_mine", createdBy: "x" }, "key unknown_field", "createdBy unknown_field"],
      ...[
        "tomorrow",
        "2027-02-30T00:00:00Z",
        "2027-01-01",
        "2027-01-01T00:00:00",
        "2027-13-01T00:00:00Z",
      ].map((expiresAt): Rejection => [{ ...KEY, expiresAt }, "expiresAt invalid_format"]),
      [{ ...KEY, expiresAt: 1_800_000_000 }, "expiresAt invalid_type"],
      // The present, in two zones, and the past.
      ...["2026-03-01T12:00:00.000Z", "2026-03-01T13:59:00+02:00", "1999-12-31T23:59:59Z"].map(
        (expiresAt): Rejection => [{ ...KEY, expiresAt }, "expiresAt expiry_in_past"],
      ),
    ],
    "PUT /api/admin/contacts/{contactId}": [
      [{ firstName: " ", lastName: x(201) }, "firstName too_small", "lastName too_big"],
      [{ phone: "1\u00072", country: 7 }, "phone invalid_characters", "country invalid_type"],
      [{ marketing: "yes", email: "other@" }, "marketing invalid_value", "email invalid_email"],
      [{ totalDownloads: 0 }, "totalDownloads unknown_field"],
      [{ textVersion: "1" }, "textVersion marketing_needed"],
    ],
    "PUT /api/admin/contacts/unknown": [[{ firstName: "Sarah" }, 404, "contact_not_found"]],
    "GET /api/admin/contacts/unknown": [[undefined, 404, "contact_not_found"]],
    "DELETE /api/admin/contacts/unknown": [[undefined, 404, "contact_not_found"]],
    "GET /api/admin/contacts": [
      ["?page=0&limit=1.5&sort=email", "page too_small", "limit invalid_format", "sort unknown_field"],
      [
        `?search=${x(201)}&city=${x(201)}&country=%00`,
        "search too_big",
        "city too_big",
        "country invalid_characters",
      ],
      ["?languageId=x&startDate=2026-02-30", "languageId invalid_format", "startDate impossible_date"],
      ["?timezone=Mars/Here", "timezone unknown_timezone"],
      ["?startDate=2026-03-02&endDate=2026-03-01", "endDate end_before_start"],
      ["?search=a&search=b", "search invalid_type"],
    ],
    "GET /api/admin/audit": AUDIT,
    "GET /api/admin/audit/export": AUDIT,
    "POST /api/admin/webhooks": [
      [
        { url: 4, events: ["none"], includeContact: "maybe", more: 1 },
        "events.0 invalid_value",
        "includeContact invalid_value",
        "more unknown_field",
        "url invalid_type",
      ],
      ...(
        [
          ["http://books.example.org/hook", "url url_not_https"],
          ["https://127.0.0.1/hook", "url url_host_not_public"],
          ["https://[::1]/hook", "url url_host_not_public"],
          ["https://crm.internal/hook", "url url_host_not_public"],
          ["https://10.0.0.8.nip.io:8443/", "url url_port_not_allowed"],
          ["https://user:word@crm.example.org/", "url url_with_credentials"],
          ["not an address", "url url_malformed"],
        ] as const
      ).map(
        ([url, error]): Rejection => [
          { url, events: ["webhook.test"] },
          400,
          "webhook_address_refused",
          error,
        ],
      ),
      [{ url: "https://a.example.org", events: Array(11).fill("webhook.test") }, "events too_big"],
    ],
    "POST /api/download/submit": [
      [
        {
          ...FORM,
          slug: undefined,
          languageCode: "not a language",
          fileType: "exe",
          contact: { email: "unknown", lastName: 5, phone: "1".repeat(51), country: "a\u0000b" },
        },
        "bookId exactly_one_needed",
        "languageCode invalid_language_code",
        "fileType invalid_value",
        "contact.email invalid_email",
        "contact.firstName invalid_type",
        "contact.lastName invalid_type",
        "contact.phone too_big",
        "contact.country invalid_characters",
      ],
      [{ ...FORM, bookId: "x" }, "bookId exactly_one_needed"],
      [{ ...FORM, contact: [] }, "contact invalid_type"],
      [[], "invalid_type"],
      [named("a\ud800"), "contact.firstName invalid_characters"],
      [named("\r\n"), "contact.firstName too_small"],
      [named(x(201)), "contact.firstName too_big"],
      [named(null), "contact.firstName invalid_type"],
      [undefined, 400, "body_missing"],
    ],
    "POST /api/admin/files/lookup": [
      [{ sha256: [] }, "sha256 too_small"],
      [{ sha256: Array(1001).fill("0".repeat(64)) }, "sha256 too_big"],
      [
        { sha256: ["0".repeat(63), "A".repeat(64)], more: 1 },
        "more unknown_field",
        "sha256.0 invalid_format",
        "sha256.1 invalid_format",
      ],
    ],
  },
  { PUBLIC_BASE_URL: "https://books.example.org" },
);
