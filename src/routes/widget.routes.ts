/** The element `<book-library>`, with which any page shows the library. */
import { defineKeptRoute } from "../http/kept-route.ts";
import { content, json, okCached, okContent } from "../http/responses/responses.ts";
import { anyWidgetTexts, widgetTextsParams } from "../schemas/widget.schemas.ts";

export const widgetRoutes = [
  defineKeptRoute({
    id: "getWidgetScript",
    path: "/api/widget.js",
    summary: "Get the script of <book-library>",
    description:
      "A classic script that defines the element `<book-library>`. A page of any site may load it, also as a module or with `integrity`. A parameter such as `?v=2` changes nothing. To read the books, the page's origin must be in `CORS_ORIGINS`.",
    responses: { 200: content("The script", "text/javascript") },
    isForAnySite: true,
    handle: async (_, { widget }) => okContent(await widget.readScript()),
  }),
  defineKeptRoute({
    id: "getWidgetTexts",
    path: "/api/widget/texts/{code}.json",
    summary: "Get the texts of <book-library> in a language",
    description:
      "The script contains the English texts, and loads others from here. A language in which there are no texts returns 404.",
    params: widgetTextsParams,
    responses: { 200: json("The texts", anyWidgetTexts) },
    isForAnySite: true,
    handle: async ({ params }, { widget }) => okCached(await widget.readTexts(params.code)),
  }),
];
