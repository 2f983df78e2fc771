/** Asks of books that could be one of the library whether they are: one by one, or all at once. */
import { Anchor, Button, Group, Paper, Radio } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { bookQuery } from "../books/queries.ts";
import { FurtherPages, useLocalPages } from "../lists/pages.tsx";
import { useTexts } from "../messages/index.tsx";
import { Section } from "../ui/section.tsx";
import type { Question } from "./questions.ts";
import { runner } from "./upload-store.ts";
import classes from "./uploads.module.css";

const PAGE_SIZE = 5;
/** Of one book. */
const MAX_NAMED = 5;

function answerAll(questions: readonly Question[], isSame: boolean): void {
  for (const { itemIds: ids, bookId } of questions)
    runner.dispatch({ type: "edited", ids, edit: { answer: { bookId, isSame } } });
}

export function UnsureBooks({ questions }: { questions: readonly Question[] }) {
  const { t } = useTexts("uploads");
  const id = useId();
  const { shown, pagination, change } = useLocalPages(questions, PAGE_SIZE);
  if (questions.length === 0) return null;
  return (
    <Section title={t("uploads.questions")} id={id} hint={t("uploads.questionsHint")} gap="sm">
      {questions.length > 1 && (
        <Group gap="xs">
          <Button size="compact-sm" variant="default" onClick={() => answerAll(questions, true)}>
            {t("uploads.allSame")}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => answerAll(questions, false)}>
            {t("uploads.allOther")}
          </Button>
        </Group>
      )}
      {shown.map((question) => (
        <UnsureBook key={question.itemIds[0]} question={question} />
      ))}
      <FurtherPages
        pagination={pagination}
        count={t("words.bookCount", { count: questions.length })}
        change={change}
      />
    </Section>
  );
}

function UnsureBook({ question }: { question: Question }) {
  const { t } = useTexts("uploads");
  const { paths, bookId, isSame } = question;
  const { data } = useQuery(bookQuery(bookId));
  const title = data?.book.titleEn ?? bookId;
  const named = paths.length > MAX_NAMED ? [...paths.slice(0, MAX_NAMED), "…"] : paths;
  return (
    <Paper withBorder p="sm">
      <Radio.Group
        value={isSame === undefined ? null : isSame ? "same" : "other"}
        onChange={(value) => answerAll([question], value === "same")}
        label={named.map((path) => (
          <bdi key={path} className={classes.named}>
            {path}
          </bdi>
        ))}
      >
        <Group gap="md" mt="xs">
          <Radio value="same" label={t("uploads.isSame", { title })} />
          <Radio value="other" label={t("uploads.isOther")} />
          <Anchor component={Link} to={`/books/${bookId}`} size="sm">
            {t("uploads.showBook", { title })}
          </Anchor>
        </Group>
      </Radio.Group>
    </Paper>
  );
}
