/** The pages to which letters lead. */
import { chooseLetterLanguage } from "../../library/letter-page.ts";
import { renderMailPage } from "../../library/mail-pages.ts";
import type { PageLanguages } from "../../library/page-languages.ts";
import type { Look } from "../../library/shell.ts";
import type { LetterPageName } from "../../schemas/letter-texts.schemas.ts";
import { Service } from "../shared/service.ts";

interface MailPagesDeps {
  pageLanguages: PageLanguages;
  looks: { readLook(languageCode: string, mayWait: boolean): Promise<Look> };
  /** Where the name of the organisation leads; undefined: to the library, if there is one. */
  siteUrl: string | undefined;
  hasLibrary: boolean;
}

/** What the button of a page does. */
type Press =
  /** It sends fields to the page's own address, whose last part is the action. */
  | { action: string; fields?: Readonly<Record<string, string>> }
  /** It leads to a path, relative to `/`. */
  | { link: string };

/** A page is at `/api/mail/{key}/{action}`. */
const ROOT = "../../../";

export class MailPages extends Service<MailPagesDeps> {
  /** @param wanted codes of languages by preference */
  async show(name: LetterPageName, wanted: readonly string[], press: Press) {
    const { pageLanguages, looks, siteUrl, hasLibrary } = this.deps;
    const { code, texts } = chooseLetterLanguage(wanted, pageLanguages);
    const page = texts[name];
    const text = renderMailPage({
      code,
      ...page,
      button: "button" in page ? { text: page.button, ...press } : undefined,
      root: ROOT,
      look: await looks.readLook(code, true),
      home: siteUrl ?? (hasLibrary ? ROOT : undefined),
    });
    const bytes = Buffer.from(text);
    return { bytes, etag: undefined, contentLanguage: code, languageCode: undefined, isSecret: true };
  }
}
