/** The dialog in which a reader asks for a book, or for all books of a language, and gets its link. */
import { make, makeButton } from "./dom.ts";
import { type Link, Refusal, type Service } from "./service.ts";
import { isolate, type Words } from "./words.ts";

/** What is asked for; without a slug, all books of the language. */
export interface Wanted {
  slug?: string;
  languageCode: string;
  fileType?: string;
}

export interface FormSettings {
  /** Of the consent; without it, none is asked for. */
  textVersion: string | null;
  privacyUrl: string | undefined;
}

interface FormDeps {
  words: Words;
  service: Service;
  settings: FormSettings;
  /** Reports to the page what happens, without what a reader typed. */
  note: (name: "request" | "link", wanted: Wanted) => void;
}

const FIELDS = ["firstName", "email"] as const;
const HEADING = { id: "heading", role: "heading", ariaLevel: "2", dir: "auto", tabIndex: -1 };
const CAMPAIGN = ["utm_source", "utm_medium", "utm_campaign"];

export class RequestForm {
  readonly dialog: HTMLDialogElement;
  readonly #deps: FormDeps;
  readonly #heading = make("div", "dialog-title", HEADING);
  readonly #form = make("form", "form", { noValidate: true });
  readonly #result = make("div", "result");
  readonly #reason = make("p", "error", { role: "alert" });
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #consent = make("input", "consent-box", { type: "checkbox", id: "consent" });
  #wanted: Wanted = { languageCode: "" };

  constructor(deps: FormDeps) {
    this.#deps = deps;
    this.#fillForm();
    this.dialog = make("dialog", "dialog", {}, this.#heading, this.#form, this.#result);
    this.dialog.setAttribute("aria-labelledby", "heading");
  }

  open(wanted: Wanted, heading: string, opener: HTMLElement): void {
    this.#wanted = wanted;
    this.#heading.textContent = heading;
    this.#show("");
    this.dialog.onclose = () => opener.focus();
    this.dialog.showModal();
  }

  #fillForm(): void {
    const { words, settings } = this.#deps;
    const { textVersion, privacyUrl } = settings;
    const privacy = { textContent: words.say("privacy"), target: "_blank", rel: "noopener" };
    const consent = make("label", "label", { htmlFor: "consent", textContent: words.say("marketing") });
    this.#form.append(
      make("p", "why", { textContent: words.say("why") }),
      this.#makeField("firstName", { autocomplete: "given-name", autofocus: true }),
      this.#makeField("email", { type: "email", autocomplete: "email" }),
      textVersion === null ? "" : make("p", "consent", {}, this.#consent, consent),
      privacyUrl === undefined ? "" : make("p", "", {}, make("a", "link", { href: privacyUrl, ...privacy })),
      this.#reason,
      this.#makeActions(make("button", "button primary", { textContent: words.say("download") }), "cancel"),
    );
    this.#form.onsubmit = async (event) => {
      event.preventDefault();
      const address = await this.#send(words.say("started"));
      if (address !== undefined) location.assign(address);
    };
  }

  #makeField(name: (typeof FIELDS)[number], properties: Partial<HTMLInputElement>): HTMLElement {
    const input = make("input", "input", { id: name, required: true, maxLength: 254, ...properties });
    const error = make("p", "error", { id: `${name}-error` });
    input.setAttribute("aria-describedby", error.id);
    this.#inputs.set(name, input);
    const label = make("label", "label", { htmlFor: name, textContent: this.#deps.words.say(name) });
    return make("div", "field", {}, label, input, error);
  }

  #makeActions(first: HTMLElement, end: "cancel" | "close"): HTMLElement {
    const close = makeButton("close", this.#deps.words.say(end), () => this.dialog.close());
    return make("p", "actions", {}, first, close);
  }

  /** Shows the form, with a reason to send it again, or with the errors of its fields. */
  #show(reason: string, paths: readonly string[] = []): void {
    this.#form.hidden = false;
    this.#result.hidden = true;
    this.#reason.textContent = reason;
    for (const name of FIELDS.toReversed()) {
      const input = this.#inputs.get(name);
      const isInvalid = paths.includes(`contact.${name}`);
      if (!input) continue;
      input.ariaInvalid = String(isInvalid);
      input.nextElementSibling?.replaceChildren(isInvalid ? this.#deps.words.say(`${name}Error`) : "");
      if (isInvalid) input.focus();
    }
  }

  /** Shows the link, which it returns, or the errors. Undefined without a link, or if the reader has left. */
  async #send(heading: string): Promise<string | undefined> {
    if (this.#form.ariaBusy === "true") return undefined;
    this.#form.ariaBusy = "true";
    this.#reason.textContent = this.#deps.words.say("sending");
    const wanted = this.#wanted;
    try {
      this.#deps.note("request", wanted);
      const link = await this.#submit(wanted);
      if (!this.dialog.open || wanted !== this.#wanted) return undefined;
      this.#deps.note("link", wanted);
      return this.#showLink(link, heading);
    } catch (error) {
      this.#show(this.#deps.words.reason(error), error instanceof Refusal ? error.paths : []);
      return undefined;
    } finally {
      this.#form.ariaBusy = "false";
    }
  }

  #submit(wanted: Wanted): Promise<Link> {
    const { textVersion } = this.#deps.settings;
    const contact = Object.fromEntries(FIELDS.map((name) => [name, this.#inputs.get(name)?.value ?? ""]));
    const consent = { marketing: this.#consent.checked, textVersion };
    const campaign = [...new URLSearchParams(location.search)].filter(([name]) => CAMPAIGN.includes(name));
    const path = wanted.slug === undefined ? "submit-all" : "submit";
    return this.#deps.service.call(`/api/download/${path}?${new URLSearchParams(campaign)}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...wanted, contact, ...(textVersion !== null && { consent }) }),
    });
  }

  /** @returns the link, unless the reader has to confirm the address first: then the browser itself opens it */
  #showLink(link: Link, heading: string): string | undefined {
    const { words, service } = this.#deps;
    const isWithheld = link.confirmation === "required";
    const { fileName = "ZIP", fileSizeBytes, totalBytes = 0, emailSuggestion } = link;
    const href = service.address + link.downloadUrl;
    const again = make("a", "button primary again", { href }, words.say(isWithheld ? "mailButton" : "again"));
    again.onclick = isWithheld ? null : (event) => void this.#openAgain(event, again.href);
    this.#form.hidden = true;
    this.#result.hidden = false;
    this.#result.replaceChildren(
      isWithheld ? make("p", "why", { textContent: words.say("mailText") }) : "",
      make("p", "file", { textContent: `${isolate(fileName)} · ${words.size(fileSizeBytes ?? totalBytes)}` }),
      make("p", "until", { textContent: words.say("untilTime", words.time(link.expiresAt)) }),
      emailSuggestion === undefined ? "" : this.#makeSuggestion(emailSuggestion),
      this.#makeActions(again, "close"),
    );
    this.#heading.textContent = isWithheld ? words.say("mailHeading") : heading;
    this.#heading.focus();
    return isWithheld ? undefined : again.href;
  }

  /** The first download goes on; the corrected address gets a link of its own. */
  #makeSuggestion(email: string): HTMLElement {
    const correct = makeButton("correct", this.#deps.words.say("correct"), () => {
      const input = this.#inputs.get("email");
      if (input) input.value = email;
      void this.#send(this.#deps.words.say("corrected"));
    });
    return make("p", "suggestion", {}, this.#deps.words.say("suggestion", email), " ", correct);
  }

  /** Opens the link unless it has expired. A link to another host is a redirect, which the browser follows itself. */
  async #openAgain(event: Event, address: string): Promise<void> {
    event.preventDefault();
    try {
      const path = address.slice(this.#deps.service.address.length);
      const { status } = await this.#deps.service.fetch(path, { method: "HEAD", redirect: "manual" });
      if (status < 400) location.assign(address);
      else this.#show(this.#deps.words.reason(new Refusal(status)));
    } catch (error) {
      this.#show(this.#deps.words.reason(error));
    }
  }
}
