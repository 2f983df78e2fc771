/** What the service puts before the script: src/services/library/widget.service.ts. */
type Texts = import("../src/schemas/widget.schemas.ts").WidgetTexts;

declare const ENGLISH: Texts;
/** By the codes of the languages that have texts. */
declare const DIRECTIONS: Readonly<Record<string, "ltr" | "rtl">>;
declare const STYLE: string;
