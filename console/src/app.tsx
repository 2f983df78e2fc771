/** The providers and the pages of the console. */
import { type CSSVariablesResolver, createTheme, MantineProvider, mergeThemeOverrides } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import { createBrowserRouter, RouterProvider } from "react-router";
import { Problem } from "./api/client.ts";
import { PATIENCE, retryQuery } from "./api/retry.ts";
import { NotFoundPage } from "./frame/not-found-page.tsx";
import { Shell } from "./frame/shell.tsx";
import { MessagesProvider, useTexts } from "./messages/index.tsx";
import type { Language } from "./messages/languages.ts";
import { RequireSession } from "./session/require-session.tsx";
import { usePermission } from "./session/session.ts";
import { announceEnd, type Interrupted } from "./session/session-end.ts";
import { lazyPage } from "./ui/lazy-page.tsx";

const OverviewPage = lazyPage(() => import("./overview/overview-page.tsx"), "overview", "downloads");
const BooksPage = lazyPage(() => import("./books/books-page.tsx"), "books");
/** Those who may not see the reports begin with the books. */
function StartPage() {
  return usePermission("view_analytics") ? <OverviewPage /> : <BooksPage />;
}

const ResetPage = lazyPage(() => import("./session/reset-page.tsx"), "passwords");

const page = (path: string, ...parts: Parameters<typeof lazyPage>) => ({
  path,
  Component: lazyPage(...parts),
});

const router = createBrowserRouter(
  [
    {
      element: (
        <RequireSession>
          <Shell />
        </RequireSession>
      ),
      children: [
        { index: true, Component: StartPage },
        { path: "books", Component: BooksPage },
        page("books/:bookId", () => import("./books/book-page.tsx"), "books", "remarks"),
        page("languages", () => import("./languages/languages-page.tsx"), "languages"),
        page("channels", () => import("./channels/channels-page.tsx"), "channels"),
        page("library", () => import("./library/library-page.tsx"), "library"),
        page("contacts", () => import("./contacts/contacts-page.tsx"), "contacts", "books", "languages"),
        page("contacts/:contactId", () => import("./contacts/contact-page.tsx"), "contacts", "downloads"),
        page("downloads", () => import("./downloads/downloads-page.tsx"), "downloads", "books", "languages"),
        page("report", () => import("./report/report-page.tsx"), "report", "overview", "downloads"),
        page("api-keys", () => import("./api-keys/api-keys-page.tsx"), "api-keys"),
        page("users", () => import("./users/users-page.tsx"), "users"),
        page("audit", () => import("./audit/audit-page.tsx"), "audit"),
        page("settings", () => import("./settings/settings-page.tsx"), "settings"),
        page("webhooks", () => import("./webhooks/webhooks-page.tsx"), "webhooks"),
        page("doctor", () => import("./doctor/doctor-page.tsx"), "doctor"),
        page("publications", () => import("./publications/publications-page.tsx"), "publications"),
        page("import", () => import("./uploads/import-page.tsx"), "uploads", "remarks"),
        page("account", () => import("./account/account-page.tsx"), "account"),
      ],
    },
    {
      path: "reset",
      element: (
        <Suspense>
          <ResetPage />
        </Suspense>
      ),
    },
    { path: "*", element: <NotFoundPage /> },
  ],
  // With its slash, which the address of the first page has: without it, the service redirects.
  { basename: "/console/" },
);

const theme = createTheme({
  primaryColor: "blue",
  // Lighter shades have too little contrast on white.
  primaryShade: { light: 8, dark: 8 },
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
});

/** Texts that step back, errors of fields and buttons under the pointer need more contrast than Mantine gives them (WCAG 2.2, 1.4.3). */
const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-blue-light-hover": "var(--mantine-color-blue-1)",
    "--mantine-color-red-light-hover": "var(--mantine-color-red-1)",
    "--mantine-color-red-outline": "var(--mantine-color-red-9)",
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
  },
  dark: {
    "--mantine-color-dimmed": "var(--mantine-color-dark-0)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-1)",
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});

const isEnd = (error: unknown): boolean =>
  error instanceof Problem && error.status === 401 && error.code !== "wrong_credentials";

function reportEnd(error: unknown, what: Interrupted) {
  if (isEnd(error)) announceEnd(what);
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => reportEnd(error, "reading") }),
  mutationCache: new MutationCache({
    // A mutation with `goesOn` is repeated by itself.
    onError: (error, _variables, _result, { meta }) => reportEnd(error, meta?.goesOn ? "reading" : "change"),
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      ...retryQuery(PATIENCE.reading),
    },
  },
});

/** With a name for the buttons that close dialogs and notifications. */
function useTheme() {
  const { t } = useTexts();
  const close = t("close");
  return useMemo(() => {
    const components = {
      // Few fields can stay empty: an asterisk at nearly each of them says nothing.
      InputWrapper: { defaultProps: { withAsterisk: false } },
      CloseButton: { defaultProps: { "aria-label": close } },
      // Within the page, a dialog would stand beside the navigation instead of in the middle.
      Modal: { styles: { inner: { insetInlineStart: 0 } } },
    };
    return mergeThemeOverrides(theme, { components });
  }, [close]);
}

/** @param language whose texts are loaded */
export function App({ nonce, language }: { nonce: string; language: Language }) {
  return (
    <MessagesProvider first={language}>
      <Themed nonce={nonce}>
        <QueryClientProvider client={queries}>
          {/* All of a long notice: it is cut off without a limit that follows the window. */}
          <Notifications position="bottom-center" notificationMaxHeight="90dvh" />
          <RouterProvider router={router} flushSync={flushSync} />
        </QueryClientProvider>
      </Themed>
    </MessagesProvider>
  );
}

function Themed({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <MantineProvider
      theme={useTheme()}
      defaultColorScheme="auto"
      {...(usePrinting() && { forceColorScheme: "light" as const })}
      cssVariablesResolver={readableColours}
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}

/** Whether the page is on its way to paper, which is white for everybody. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser copies the page as soon as the event is handled.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}
