/** Header, navigation and the place of the page. */
// Nearly every page has a table: in the first load, it costs no page its bytes and no request.
import "../ui/data-table.tsx";
import { AppShell, Burger, Button, Group, Menu, NavLink, Text } from "@mantine/core";
import { useDisclosure, useWindowEvent } from "@mantine/hooks";
import { Suspense, useLayoutEffect, useRef } from "react";
import { Link, Outlet, useLocation, useNavigationType } from "react-router";
import { useKeptRange } from "../dates/kept-range.ts";
import { LeaveQuestion } from "../forms/leave-question.tsx";
import { RunningBadge } from "../imports/running-badge.tsx";
import { useTexts } from "../messages/index.tsx";
import { useLogOut, useSession } from "../session/session.ts";
import { Loading } from "../ui/loading.tsx";
import classes from "./shell.module.css";
import { Shortcuts } from "./shortcuts.tsx";

export function Shell() {
  const { t } = useTexts();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useScrollToTop();
  useWindowEvent("dragover", refuseFiles);
  useWindowEvent("drop", refuseFiles);
  const pages = usePermittedSections().flatMap((section) => section.pages);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className={classes.skip} href="#content">
        {t("skipToContent")}
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t("openNavigation")}
              aria-expanded={isOpen}
            />
            <Text fw={600} truncate dir="auto" visibleFrom="xs">
              {t("appName")}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Shortcuts pages={pages.map(({ name, to }) => ({ to, label: t(`nav.${name}`) }))} />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="sm"
        className={classes.navigation}
        data-closed={!isOpen || undefined}
        // It covers the page, and with it what has the focus now.
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
        }}
        aria-label={t("navigation")}
      >
        <Navigation close={close} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
        <LeaveQuestion />
      </AppShell.Main>
    </AppShell>
  );
}

/** A file that misses its place would be opened by the browser in place of the console. */
function refuseFiles(event: DragEvent) {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}

/** The pages of the navigation by what they are about, each for those who may see it. */
const SECTIONS = [
  { section: "start", pages: [{ name: "overview", permission: "view_analytics" }] },
  {
    section: "catalogue",
    pages: [
      { name: "books", permission: "view_books" },
      { name: "import", permission: "edit_books" },
      { name: "languages", permission: "view_languages" },
      { name: "channels", permission: "view_channels" },
      { name: "library", permission: "manage_settings" },
      { name: "publications", permission: "view_channels" },
    ],
  },
  {
    section: "readers",
    pages: [
      { name: "contacts", permission: "view_contacts" },
      { name: "downloads", permission: "view_analytics" },
      { name: "report", permission: "view_analytics" },
    ],
  },
  {
    section: "service",
    pages: [
      { name: "api-keys", permission: "manage_api_keys" },
      { name: "users", permission: "manage_users" },
      { name: "audit", permission: "manage_users" },
      { name: "settings", permission: "manage_settings" },
      { name: "webhooks", permission: "manage_settings" },
      { name: "doctor", permission: "manage_settings" },
    ],
  },
] as const;

/** Those with a range of days, which holds from one to the other. */
const RANGED = new Set<string>(["overview", "contacts", "downloads", "report", "audit"]);

/** Those with a page that the user may see. */
function usePermittedSections() {
  const { data: session } = useSession();
  const range = useKeptRange();
  const permissions = session?.user.permissions;
  return SECTIONS.map(({ section, pages }) => ({
    section,
    pages: pages
      .filter(({ permission }) => permissions?.includes(permission))
      .map(({ name }) => {
        const path = name === "overview" ? "/" : `/${name}`;
        return { name, path, to: RANGED.has(name) ? `${path}${range}` : path };
      }),
  })).filter(({ pages }) => pages.length > 0);
}

/** @param close hides it on a phone */
function Navigation({ close }: { close(): void }) {
  const { t } = useTexts();
  const { pathname } = useLocation();
  const sections = usePermittedSections();
  // The start page is the first of those that a user may see.
  const start = sections[0]?.pages[0]?.name;
  return sections.map(({ section, pages }) => (
    <div key={section} className={classes.section}>
      {section !== "start" && (
        <Text size="xs" fw={600} c="dimmed" className={classes.sectionName} id={`section-${section}`}>
          {t(`navSections.${section}`)}
        </Text>
      )}
      <ul className={classes.links} {...(section !== "start" && { "aria-labelledby": `section-${section}` })}>
        {pages.map(({ name, path, to }) => {
          const isCurrent =
            pathname === path || pathname.startsWith(`/${name}/`) || (name === start && pathname === "/");
          return (
            <li key={name}>
              <NavLink
                component={Link}
                to={to}
                onClick={close}
                label={t(`nav.${name}`)}
                rightSection={name === "import" ? <RunningBadge /> : undefined}
                active={isCurrent}
                aria-current={isCurrent ? "page" : undefined}
                className={classes.link}
              />
            </li>
          );
        })}
      </ul>
    </div>
  ));
}

function UserMenu() {
  const { t } = useTexts();
  const { data: session } = useSession();
  const logOut = useLogOut();
  return (
    <Menu withinPortal={false} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="subtle" maw="45vw">
          <Text inherit truncate lh="md" dir="auto">
            {session?.user.name ?? t("nav.account")}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account">
          {t("nav.account")}
        </Menu.Item>
        <Menu.Item onClick={logOut}>{t("session.logOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A page that is opened by a link is seen from its top; on the way back, the browser knows where it was. */
function useScrollToTop(): void {
  const { pathname } = useLocation();
  const isWayBack = useNavigationType() === "POP";
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!isWayBack) window.scrollTo(0, 0);
  }, [pathname, isWayBack]);
}
