/** Builds the console into static files: `npm run build` in the project's folder. `npm run console` serves it while it is changed. */
import { defineConfig } from "vite";
import { compileTexts } from "./compile-texts.ts";
import { serveWorldMap } from "./world-map.ts";

/** The service that the pages of `npm run console` use. */
const SERVICE = "http://127.0.0.1:3000";

const OF_UPLOADS = /\/console\/src\/uploads\//;
/** What lists share. */
const OF_LISTS =
  /\/console\/src\/lists\/(?:filters|filter-text|named-filters|use-named-filters|paged-list|pages|nothing-found)/;
/** What forms of records share. The overview, which has the most bytes, and the import do without. */
const OF_RECORDS =
  /\/console\/src\/(?:(?:contacts|channels|users)\/|forms\/(?:joined-save|record-form|join-changes|save-state|changed-meanwhile)|ui\/list-links)/;

/** What the page of a book shares with its dialogs and few other pages. */
const OF_BOOK =
  /\/console\/src\/(?:books\/(?:channel|file-forms|former-contents|language|local-time|people|remove|sent|last-book|tags-field)|forms\/number-field|ui\/(?:facts|page-actions|undo))|\/Textarea\//;
/** What takes files. */
const OF_DROPS =
  /\/console\/src\/(?:ui\/file-button|books\/use-remark-lines|uploads\/(?:drop-|dropped-files|load-queue|use-file-drop|uploads\.module))/;

/** Pages without a form do without. */
const OF_FORMS = /\/node_modules\/@mantine\/form\//;

const isShared = (id: string): boolean =>
  ![OF_UPLOADS, OF_LISTS, OF_RECORDS, OF_BOOK, OF_DROPS, OF_FORMS].some((part) => part.test(id));

export default defineConfig({
  base: "/console/",
  plugins: [serveWorldMap(), compileTexts()],
  // The texts are parsed here: intl-messageformat gets the rest of the package.
  resolve: {
    alias: { "@formatjs/icu-messageformat-parser": "@formatjs/icu-messageformat-parser/no-parser.js" },
  },
  build: {
    // An older target has no light-dark(), with which Mantine's colours are written.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    target: "es2024",
    // The policy of the pages allows nothing inline.
    assetsInlineLimit: 0,
    // The pages have few styles of their own: a file for each costs more than it has.
    cssCodeSplit: false,
    // The first load has all of React and of Mantine's components that every page needs; the bench has its bound.
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Few files: each costs a request, whose headers are as long as a small file.
      output: {
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"], priority: 1 },
            // Uploads are shared, too, but by few pages.
            { name: "shared", minShareCount: 3, test: isShared },
            { name: "lists", minShareCount: 3, test: OF_LISTS },
            { name: "records", minShareCount: 3, test: OF_RECORDS },
            { name: "book", minShareCount: 2, test: OF_BOOK },
            { name: "forms", minShareCount: 2, priority: 1, test: OF_FORMS },
            { name: "drops", minShareCount: 2, test: OF_DROPS },
          ],
        },
      },
      // Every file of Mantine says that it runs in a browser, which everything here does.
      onLog: (level, log, report) => log.code === "MODULE_LEVEL_DIRECTIVE" || report(level, log),
    },
  },
  // The same host as the browser's, so that requests count as those of one site.
  server: { port: 5173, proxy: { "/api": { target: SERVICE, changeOrigin: false } } },
});
