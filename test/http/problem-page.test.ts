/** A problem as a page. */
import { expect, it } from "vitest";
import { problemPage } from "../../src/http/problem-page.ts";

it("shows every text as text, whatever signs are in it", () => {
  const hostile = `<script>alert("1")</script> & 'x'`;
  const page = problemPage({
    ...{ type: "", title: hostile, status: 404, detail: hostile, instance: hostile, code: "x" },
    ...{ error: hostile, requestId: hostile },
  });
  const escaped = "&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;";
  expect(page.split(escaped)).toHaveLength(5);
  expect(page).not.toContain("<script");
  expect(page).toContain("404");
});
