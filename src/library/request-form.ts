/** The form in which a reader asks for a download. */
import { html, type Markup } from "../lib/html.ts";
import { renderPlainText } from "../lib/plain-text.ts";
import { describeFormat } from "./book-parts.ts";
import { type Frame, linkTo, type ShownFormat, type TextIn } from "./frame.ts";
import { NOTHING } from "./shell.ts";

/** The fields that an operator can ask for. */
export const CONTACT_FIELDS = ["lastName", "phone", "country"] as const;
type ContactField = (typeof CONTACT_FIELDS)[number];
type Demand = "off" | "optional" | "required";

export interface Consent extends TextIn {
  version: string;
}

export interface RequestForm {
  /** Where it is sent, relative to `/`. */
  path: string;
  formats: readonly ShownFormat[];
  contactFields: Readonly<Record<ContactField, Demand>>;
  consent: Consent | undefined;
  /** What was typed, by field; empty for a new form. */
  typed: Readonly<Record<string, string>>;
  /** The fields that aren't right; undefined for a new form. */
  invalid?: ReadonlySet<FieldName> | undefined;
}

export type FieldName = "firstName" | "email" | "fileType" | ContactField;

const AUTOCOMPLETE = {
  firstName: "given-name",
  lastName: "family-name",
  email: "email",
  phone: "tel",
  country: "country-name",
} as const;
const TYPES = { firstName: "text", lastName: "text", email: "email", phone: "tel", country: "text" } as const;
const LENGTHS = { firstName: 200, lastName: 200, email: 254, phone: 50, country: 100 } as const;

export function renderRequestForm(frame: Frame, form: RequestForm): Markup {
  const { words } = frame;
  const { invalid, consent } = form;
  return html`<form class="request" id="form" method="post" action="${linkTo(frame, form.path)}" accept-charset="utf-8">
${invalid ? html`<p class="error" role="alert">${words.say("check")}</p>` : NOTHING}
<p>${words.say("why")}</p>
${form.formats.length > 0 ? renderFormats(frame, form) : NOTHING}
${renderField(frame, form, "firstName")}
${renderExtra(frame, form, "lastName")}
${renderField(frame, form, "email")}
${renderExtra(frame, form, "phone")}
${renderExtra(frame, form, "country")}
${consent ? renderConsent(form, consent) : NOTHING}
<button type="submit" class="primary">${words.say("download")}</button>
</form>`;
}

function renderFormats(frame: Frame, { formats, typed, invalid }: RequestForm): Markup {
  const { words } = frame;
  // A file that replaces another one has its type, but several files can have the same.
  const name = new Set(formats.map(({ fileType }) => fileType)).size < formats.length ? "fileId" : "fileType";
  const findValue = ({ id, fileType }: ShownFormat) => (name === "fileId" ? id : fileType);
  const chosen = formats.find((format) => findValue(format) === typed[name]) ?? formats[0];
  const choices = formats.map((format) => {
    const checked = format === chosen ? html` checked` : NOTHING;
    return html`<label><input type="radio" name="${name}" value="${findValue(format)}" required${checked}> ${describeFormat(words, format)}</label>`;
  });
  return html`<fieldset><legend>${words.say("format")}</legend>
${choices}
${invalid?.has("fileType") ? renderError(frame, "fileType") : NOTHING}
</fieldset>`;
}

const renderExtra = (frame: Frame, form: RequestForm, name: ContactField): Markup =>
  form.contactFields[name] === "off"
    ? NOTHING
    : renderField(frame, form, name, form.contactFields[name] === "required");

function renderField(
  frame: Frame,
  { typed, invalid }: RequestForm,
  name: Exclude<FieldName, "fileType">,
  isRequired = true,
): Markup {
  const { words } = frame;
  const isInvalid = invalid?.has(name) ?? false;
  const note = isRequired ? NOTHING : html` <small>(${words.say("optional")})</small>`;
  const required = isRequired ? html` required` : NOTHING;
  const described = isInvalid ? html` aria-invalid="true" aria-describedby="${name}-error"` : NOTHING;
  return html`<div class="field">
<label for="${name}">${words.say(name)}${note}</label>
<input id="${name}" name="${name}" type="${TYPES[name]}" value="${typed[name] ?? ""}" maxlength="${LENGTHS[name]}" autocomplete="${AUTOCOMPLETE[name]}" dir="auto"${required}${described}>
${isInvalid ? renderError(frame, name) : NOTHING}
</div>`;
}

const ERROR_TEXTS = {
  firstName: "firstNameError",
  lastName: "lastNameError",
  email: "emailError",
  phone: "phoneError",
  country: "countryError",
  fileType: "formatError",
} as const;

const renderError = ({ words }: Frame, name: FieldName): Markup =>
  html`<p class="error" id="${name}-error">${words.say(ERROR_TEXTS[name])}</p>`;

function renderConsent({ typed }: RequestForm, { text, code, direction, version }: Consent): Markup {
  const checked = typed.marketing === undefined ? NOTHING : html` checked`;
  return html`<div class="consent"><input type="hidden" name="textVersion" value="${version}">
<input type="checkbox" id="marketing" name="marketing"${checked}>
<label for="marketing" lang="${code}" dir="${direction}">${renderInline(text)}</label></div>`;
}

/** Only phrases are allowed in a label (HTML, "The label element"). */
const renderInline = (text: string): Markup => ({
  markup: renderPlainText(text)
    .map(({ markup }) => markup.replace(/^<p>/, "").replace(/<\/p>$/, ""))
    .join("<br>"),
});
