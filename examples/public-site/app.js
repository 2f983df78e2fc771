// The page: the languages, the books of one of them, the form, and the download. No framework and no build step.
import { chooseLanguage } from "./choose-language.js";

/** Those that have texts in the folder `texts`, a copy of the service's `assets/pages`. */
const PAGE_LANGUAGES = {
  ar: "العربية",
  bo: "བོད་ཡིག",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fa: "فارسی",
  fr: "Français",
  hi: "हिन्दी",
  id: "Indonesia",
  ja: "日本語",
  pt: "Português",
  ru: "Русский",
  sw: "Kiswahili",
  tr: "Türkçe",
  zh: "中文",
};

const $ = (id) => document.getElementById(id);
const service = document.querySelector("meta[name=book-service]").content || location.origin;
const parameters = new URLSearchParams(location.search);
const primary = (code = "") => code.split("-")[0].toLowerCase();

// What the page's address says comes before what the browser asks for.
const preferred = [parameters.get("lang") ?? "", ...navigator.languages];
const pageLanguage = chooseLanguage(preferred, Object.keys(PAGE_LANGUAGES)) ?? "en";
const { library, site, busy, unavailable } = await (await fetch(`texts/${pageLanguage}.json`)).json();
const texts = { ...library, ...site, busy: busy.text, unavailable: unavailable.text };
const isFromRight = ["ar", "fa"].includes(pageLanguage);
const locale = navigator.languages.find((code) => primary(code) === pageLanguage) ?? pageLanguage;
const names = new Intl.DisplayNames(locale, { type: "language", fallback: "none" });
/** The name in the language of the page; browsers don't know all. */
const nameOf = ({ code, name }) => names.of(code) ?? name;

let languages = [];
let chosen; // the language whose books are shown
let wanted; // what the form requests: slug, languageCode and fileType of a book, or the languageCode of all books
let loading = new AbortController(); // cancels the list of books under way

/** Marks isolate the value: one in another direction would reorder the sentence around it. */
function t(key, value = "") {
  const text = texts[key];
  const form =
    typeof text === "string" ? text : (text[new Intl.PluralRules(locale).select(value)] ?? text.other);
  return form.replace("{}", `\u2068${value.toLocaleString(locale)}\u2069`);
}

/** Isolated, like the values in texts; empty for 0, because the size of a linked file can be unknown. */
function sizeOf(bytes) {
  const [unit, divisor] = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  const format = { style: "unit", unit, maximumFractionDigits: bytes < 1e7 ? 1 : 0 };
  return bytes === 0 ? "" : `\u2068${(bytes / divisor).toLocaleString(locale, format)}\u2069`;
}
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
const timeOf = (timestamp) => new Date(timestamp).toLocaleTimeString(locale, { timeStyle: "short" });
const addressWith = (changes) => `?${new URLSearchParams({ ...Object.fromEntries(parameters), ...changes })}`;

/** @throws Error with the problem document of an error response; TypeError without a response */
async function call(path, options) {
  const response = await fetch(service + path, options);
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(), body);
  return body;
}

function reasonOf(error) {
  if (error instanceof TypeError) return t("offline");
  if (error.status === 404) return t("unavailable");
  if (error.status === 400) return t("check");
  return error.status === 429 || error.status === 503 ? t("busy") : t("failed", error.requestId);
}

/** Shows why something can't be loaded, with a button to try again. */
async function attempt(load) {
  $("retry").hidden = true;
  $("books-status").textContent = t("loading");
  try {
    await load();
  } catch (error) {
    if (error.name === "AbortError") return;
    $("books-status").textContent = reasonOf(error);
    $("retry").hidden = false;
    $("retry").onclick = () => attempt(load);
  }
}

async function loadPage() {
  ({ languages } = await call("/api/languages"));
  const codes = languages.map(({ code }) => code);
  const code = chooseLanguage([parameters.get("language") ?? "", ...preferred], codes);
  // Without one, the reader chooses: books in a language that comes first by chance don't help.
  chosen = languages.find((each) => each.code === code);
  $("book-search").disabled = !chosen;
  showLanguages();
  if (chosen) await loadBooks();
  else $("books-status").textContent = t(languages.length === 0 ? "noBooks" : "findLanguage");
  if (location.hash === "#books") $("books").scrollIntoView();
  if (chosen && parameters.get("book")) await openBook(parameters.get("book"));
}

/** Opens the form of the book that the page's address names, with its formats, and links to its other languages. */
async function openBook(slug) {
  const path = `/api/books/${encodeURIComponent(slug)}?languageCode=`;
  let book = await call(path + encodeURIComponent(chosen.code));
  if (book.files.length === 0) book = await call(path + encodeURIComponent(book.languages[0]));
  const { title, languageCode, files, translations } = book;
  openForm({ slug, languageCode, fileType: files[0].fileType }, title, files);
  const others = translations.filter((each) => each.languageCode !== languageCode);
  const links = others.map(({ languageCode: lang, title: textContent, direction: dir }) => {
    const href = addressWith({ language: lang, book: slug });
    return Object.assign(document.createElement("a"), { lang, dir, hreflang: lang, textContent, href });
  });
  $("other-languages").replaceChildren($("other-languages").firstElementChild, ...links);
  $("other-languages").hidden = links.length === 0;
  document.title = title;
}

/** Without the book, the address is that of the list again. */
function forgetBook() {
  parameters.delete("book");
  history.replaceState(null, "", addressWith({}));
  document.title = t("title");
}

function showLanguages() {
  const searched = folded($("language-search").value);
  const textsOf = (language) => [language.code, language.name, language.nativeName, nameOf(language)];
  const found = languages.filter((each) => textsOf(each).some((text) => folded(text).includes(searched)));
  $("languages").replaceChildren(...found.map(languageItem));
  $("languages-status").textContent = searched !== "" && found.length === 0 ? t("noLanguage") : "";
  const { code: lang, direction: dir, nativeName: textContent } = chosen ?? {};
  if (chosen) Object.assign($("chosen-language"), { lang, dir, textContent });
}

function languageItem(language) {
  const { code, nativeName, direction } = language;
  const item = $("language").content.cloneNode(true).firstElementChild;
  const [native, translated] = item.firstElementChild.children;
  Object.assign(native, { lang: code, dir: direction, textContent: nativeName });
  translated.textContent = nameOf(language) === nativeName ? "" : nameOf(language);
  item.firstElementChild.href = `${addressWith({ language: code })}#books`;
  item.firstElementChild.ariaCurrent = String(code === chosen?.code);
  return item;
}

/** A later call cancels an earlier one, whose response would otherwise replace the newer one. */
async function loadBooks(page = 1) {
  loading.abort();
  loading = new AbortController();
  const query = new URLSearchParams({ languageCode: chosen.code, page, limit: 24 });
  if ($("book-search").value.trim() !== "") query.set("search", $("book-search").value);
  const { books, pagination } = await call(`/api/books?${query}`, { signal: loading.signal });
  const items = books.map(bookItem);
  if (page === 1) $("book-list").replaceChildren(...items);
  else $("book-list").append(...items);
  $("books-status").textContent = pagination.total === 0 ? t("noMatch") : t("count", pagination.total);
  $("whole-language").hidden = false;
  $("more").hidden = page >= pagination.totalPages;
  $("more").onclick = () => attempt(() => loadBooks(page + 1));
  if (page > 1) items[0]?.querySelector("button").focus();
}

function bookItem({ slug, title, authors, description, coverUrl, files }) {
  const item = $("book").content.cloneNode(true).firstElementChild;
  const image = item.querySelector("img");
  const cover = (width) => `${service}${coverUrl}&width=${width}`;
  image.srcset = [160, 320, 640].map((width) => `${cover(width)} ${width}w`).join(", ");
  image.src = cover(320);
  Object.assign(item, { lang: chosen.code, dir: chosen.direction });
  item.querySelector("h3 a").textContent = title;
  item.querySelector("h3 a").href = addressWith({ language: chosen.code, book: slug });
  item.querySelector(".authors").textContent = authors.join(", ");
  item.querySelector(".description").textContent = description;
  const buttons = files.map((file) => {
    const text = describeFormat(file);
    const { fileType } = file;
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    Object.assign(button, { ariaLabel: `${text}: ${title}`, lang: pageLanguage, dir: document.dir });
    button.onclick = () => openForm({ slug, languageCode: chosen.code, fileType }, title);
    return button;
  });
  item.querySelector(".files").append(...buttons);
  return item;
}

const describeFormat = ({ fileType, fileSizeBytes }) => `${fileType.toUpperCase()} ${sizeOf(fileSizeBytes)}`;

/** @param files those from which the reader chooses; without them, the request names one */
function openForm(request, heading, files = []) {
  wanted = request;
  $("request-heading").textContent = heading;
  $("other-languages").hidden = true;
  $("formats").hidden = files.length < 2;
  $("format").replaceChildren(...files.map((file) => new Option(describeFormat(file), file.fileType)));
  showForm("");
  $("request").showModal();
}

/** Shows the form, with a reason to send it again, or with the errors of its fields. */
function showForm(reason, errors = []) {
  $("form").hidden = false;
  $("result").hidden = true;
  $("form-error").textContent = reason;
  for (const name of ["email", "firstName"]) {
    const isInvalid = errors.some(({ path }) => path === `contact.${name}`);
    $(name).ariaInvalid = String(isInvalid);
    $(`${name}-error`).textContent = isInvalid ? t(`${name}Error`) : "";
    if (isInvalid) $(name).focus();
  }
}

/** Sends the form and shows the link, or the errors. @returns whether there is a link */
async function send(heading) {
  const { firstName, email, marketing, textVersion } = $("form").elements;
  if ($("form").ariaBusy === "true") return false;
  $("form").ariaBusy = "true";
  $("form-error").textContent = t("sending");
  try {
    const link = await call(`/api/download/${wanted.slug ? "submit" : "submit-all"}?${parameters}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        ...wanted,
        contact: { firstName: firstName.value, email: email.value },
        consent: { marketing: marketing.checked, textVersion: textVersion.value },
      }),
    });
    showLink(link, heading);
    return true;
  } catch (error) {
    showForm(reasonOf(error), error.errors);
    return false;
  } finally {
    $("form").ariaBusy = "false";
  }
}

function showLink(link, heading) {
  const { downloadUrl, expiresAt, fileName = "ZIP", fileSizeBytes, totalBytes, emailSuggestion } = link;
  $("form").hidden = true;
  $("result").hidden = false;
  $("result-file").textContent = `\u2068${fileName}\u2069 · ${sizeOf(fileSizeBytes ?? totalBytes)}`;
  $("result-until").textContent = t("untilTime", timeOf(expiresAt));
  $("link").href = service + downloadUrl;
  $("suggestion").hidden = emailSuggestion === undefined;
  $("suggestion-text").textContent = t("suggestion", emailSuggestion);
  $("correct").value = emailSuggestion;
  $("request-heading").textContent = heading;
  $("request-heading").focus();
}

/** Opens the link unless it has expired. A link to another host is a redirect, which the browser follows itself. */
async function openLink(event) {
  event.preventDefault();
  try {
    const { status } = await fetch($("link").href, { method: "HEAD", redirect: "manual" });
    if (status < 400) location.assign($("link").href);
    else showForm(status === 410 ? t("expired") : reasonOf({ status }));
  } catch (error) {
    showForm(reasonOf(error));
  }
}

let typing;
$("book-search").oninput = () => {
  clearTimeout(typing);
  typing = setTimeout(() => attempt(loadBooks), 300);
};
$("language-search").oninput = showLanguages;
$("whole-language").onclick = () => openForm({ languageCode: chosen.code }, t("allBooks", chosen.nativeName));
$("form").onsubmit = async (event) => {
  event.preventDefault();
  // The browser saves the file and stays on the page.
  if (await send(t("started"))) location.assign($("link").href);
};
// The first download goes on; the corrected address gets a link of its own.
$("correct").onclick = () => {
  $("email").value = $("correct").value;
  send(t("corrected"));
};
$("link").onclick = openLink;
$("format").onchange = () => {
  wanted.fileType = $("format").value;
};
$("request").onclose = () => parameters.has("book") && forgetBook();
for (const button of document.querySelectorAll("[data-close]")) button.onclick = () => $("request").close();

Object.assign(document.documentElement, { lang: pageLanguage, dir: isFromRight ? "rtl" : "ltr" });
for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
document.title = t("title");
for (const [lang, name] of Object.entries(PAGE_LANGUAGES))
  $("page-language").append(Object.assign(new Option(name, lang), { lang, selected: lang === pageLanguage }));
$("page-language").onchange = () => location.assign(addressWith({ lang: $("page-language").value }));
// Where there is room, all languages are in sight; on a phone, the books are.
$("language-choice").open = matchMedia("(min-width: 48rem)").matches;
attempt(loadPage);
