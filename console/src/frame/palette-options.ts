/** What the palette offers: pages, actions, filters with a name, books and contacts. */
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../api/client.ts";
import { FILTERED_LISTS } from "../lists/named-filters.ts";
import { useNamedFilters } from "../lists/use-named-filters.ts";
import { useTexts } from "../messages/index.tsx";
import { isLanguage, LANGUAGES } from "../messages/languages.ts";
import { useLogOut, useSession } from "../session/session.ts";
import { loadInTime } from "../ui/lazy-page.tsx";
import { listPageActions } from "../ui/page-actions.ts";
import type { PageRequest } from "../ui/page-request.ts";
import { useNotifyProblem } from "../ui/problems.tsx";
import type { Search } from "../ui/search.ts";
import { holdsWords } from "./palette-words.ts";
import { SEARCHES } from "./searches.ts";

/** A page of the navigation. */
export interface PageLink {
  to: string;
  label: string;
}

/** In the order in which they are shown. */
const GROUPS = ["pages", "here", "filters", "actions", "books", "contacts"] as const;

export interface Option {
  key: string;
  label: string;
  /** Below the label: what tells two of the same name apart. */
  note?: string | undefined;
  /** An address with what the page is asked to do there, or something that is done here. */
  target: { to: string; request?: PageRequest } | { run(): void };
}

interface OptionGroup {
  name: (typeof GROUPS)[number];
  options: readonly Option[];
}

/** @param words what was typed; nothing is read from the service before it */
export function useOptions(words: string, pages: readonly PageLink[], showKeys: () => void) {
  const { language } = useTexts();
  const actions = useActions(showKeys);
  const filters = useFilterOptions(pages);
  // The page behind the palette stays the same.
  const [here] = useState(listPageActions);
  const { found, isPending, error } = useFound(words);
  const find = (options: readonly Option[]) =>
    options.filter(({ label }) => holdsWords(label, words, language));
  const byGroup: Record<OptionGroup["name"], readonly Option[]> = {
    pages: find(pages.map(({ to, label }) => ({ key: to, label, target: { to } }))),
    here: find(here.map(({ label, run }) => ({ key: label, label, target: { run } }))),
    filters: find(filters),
    actions: find(actions.map((action) => ({ key: action.label, ...action }))),
    ...found,
  };
  const groups = GROUPS.map((name) => ({ name, options: byGroup[name] }));
  return { groups: groups.filter(({ options }) => options.length > 0), isPending, error };
}

function useFound(words: string) {
  const { data: session } = useSession();
  const [later] = useDebouncedValue(words, 250);
  const results = useQueries({
    queries: SEARCHES.map(({ group, permission, minLetters, find }) => ({
      queryKey: [group, "palette", later],
      queryFn:
        later.length >= minLetters && session?.user.permissions.includes(permission)
          ? () => find(later)
          : skipToken,
      placeholderData: keepPreviousData,
    })),
  });
  const found: Record<Search["group"], Option[]> = { books: [], contacts: [] };
  for (const [index, { group }] of SEARCHES.entries()) {
    const { data = [], isPlaceholderData = false } = results[index] ?? {};
    // What other words found can't be chosen: Enter would open it.
    if (later !== words || words === "" || isPlaceholderData) continue;
    found[group] = data.map(({ id, label, note, to }) => ({ key: id, label, note, target: { to } }));
  }
  return {
    found,
    isPending: results.some(({ isFetching }) => isFetching) || later !== words,
    error: results.find(({ error }) => error)?.error ?? null,
  };
}

function useFilterOptions(pages: readonly PageLink[]): Option[] {
  const { t } = useTexts("palette");
  const { filters } = useNamedFilters();
  const labels = new Set(pages.map(({ label }) => label));
  return FILTERED_LISTS.filter((list) => labels.has(t(`nav.${list}`))).flatMap((list) =>
    filters[list].map(({ name, query }) => ({
      key: `${list} ${name}`,
      label: t("palette.filterOf", { page: t(`nav.${list}`), name }),
      target: { to: `/${list === "overview" ? "" : list}?${query}` },
    })),
  );
}

const SCHEMES = ["auto", "light", "dark"] as const;

/** What a page is opened for. */
const OPENINGS = [
  { name: "addBook", permission: "edit_books", to: "/books", request: "add" },
  { name: "importFiles", permission: "edit_books", to: "/import" },
  { name: "addLanguage", permission: "edit_languages", to: "/languages", request: "add" },
  { name: "addChannel", permission: "edit_channels", to: "/channels", request: "add" },
  { name: "addKey", permission: "manage_api_keys", to: "/api-keys", request: "add" },
  { name: "addUser", permission: "manage_users", to: "/users", request: "add" },
  { name: "runDoctor", permission: "manage_settings", to: "/doctor", request: "run" },
] as const satisfies readonly {
  name: string;
  permission: Schemas["Permission"];
  to: string;
  request?: PageRequest;
}[];

function useActions(showKeys: () => void): Pick<Option, "label" | "target">[] {
  const { t, language, setLanguage } = useTexts("palette");
  const { data: session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  const notifyProblem = useNotifyProblem();
  const permitted = OPENINGS.filter(({ permission }) => session?.user.permissions.includes(permission));
  const languages = Object.keys(LANGUAGES).filter(isLanguage);
  return [
    ...permitted.map(({ name, ...target }) => ({ label: t(`palette.actionOf.${name}`), target })),
    ...SCHEMES.filter((scheme) => scheme !== colorScheme).map((scheme) => ({
      label: t("palette.colours", { name: t(`colours.${scheme}`) }),
      target: { run: () => setColorScheme(scheme) },
    })),
    ...languages
      .filter((each) => each !== language)
      .map((each) => ({
        label: t("palette.language", { name: LANGUAGES[each].name }),
        target: { run: () => void loadInTime(() => setLanguage(each)).catch(notifyProblem) },
      })),
    { label: t("palette.print"), target: { run: () => window.print() } },
    { label: t("palette.showKeys"), target: { run: showKeys } },
    { label: t("nav.account"), target: { to: "/account" } },
    { label: t("session.logOut"), target: { run: logOut } },
  ];
}
