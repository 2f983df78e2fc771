/** The start of the console: styles of the components that it uses, the nonce of the page, and the application. */
import "./styles.ts";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { findLanguage } from "./messages/find-language.ts";
import type { Language } from "./messages/languages.ts";
import { loadStart, setCurrentLanguage } from "./messages/texts.ts";
import { loadInTime } from "./ui/lazy-page.tsx";
import { returnFocusToButtons } from "./ui/lost-focus.ts";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// Dialogs lock scrolling by a style of their own.
setNonce(nonce);
returnFocusToButtons();

async function loadLanguage(): Promise<Language> {
  const language = await findLanguage();
  await loadStart(language);
  return language;
}

async function start(): Promise<void> {
  const language = await loadInTime(loadLanguage).catch((): Language => "en");
  setCurrentLanguage(language);
  const root = document.getElementById("root");
  if (!root) throw new Error("The page has no #root");
  createRoot(root).render(
    <StrictMode>
      <App nonce={nonce} language={language} />
    </StrictMode>,
  );
}

void start();
