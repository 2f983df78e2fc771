/** The settings of the library that don't depend on a language. */
import { Checkbox, Fieldset, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { PageForm, useRecordForm } from "../forms/record-form.tsx";
import { useTexts } from "../messages/index.tsx";
import classes from "./library.module.css";
import { LibraryPreview } from "./library-preview.tsx";
import { libraryQuery, updateLibrary } from "./queries.ts";

type Library = Schemas["Library"];

const RULES = ["off", "optional", "required"] as const;
type Rule = (typeof RULES)[number];

/** What the form for readers can ask for. */
const ASKED = ["lastName", "phone", "country"] as const;

type Fields = Record<(typeof ASKED)[number], Rule> & {
  name: string;
  accentColor: string;
  offersAll: boolean;
  /** Empty: all published books. */
  channelId: string;
};

const readRule = (given: string): Rule => RULES.find((rule) => rule === given) ?? "off";

const readFields = ({ name, accentColor, contactFields, offersAll, channelId }: Library): Fields => ({
  name,
  accentColor,
  lastName: readRule(contactFields.lastName),
  phone: readRule(contactFields.phone),
  country: readRule(contactFields.country),
  offersAll,
  channelId: channelId ?? "",
});

/** Only what was changed. */
function findChanges(fields: Fields, before: Fields): Schemas["LibraryUpdate"] {
  const isChanged = (name: keyof Fields) => fields[name] !== before[name];
  const asked = ASKED.filter(isChanged).map((name) => [name, fields[name]] as const);
  return {
    ...(isChanged("name") && { name: fields.name }),
    ...(isChanged("accentColor") && { accentColor: fields.accentColor }),
    ...(isChanged("offersAll") && { offersAll: fields.offersAll }),
    ...(isChanged("channelId") && { channelId: fields.channelId || null }),
    ...(asked.length > 0 && { contactFields: Object.fromEntries(asked) }),
  };
}

function useSettingsForm(library: Library) {
  const { t } = useTexts("library");
  const queries = useQueryClient();
  return useRecordForm({
    record: library,
    fieldsOf: readFields,
    labels: {
      name: t("words.name"),
      accentColor: t("library.accentColor"),
      lastName: t("library.lastName"),
      phone: t("library.phone"),
      country: t("library.country"),
      offersAll: t("library.offersAll"),
      channelId: t("words.books"),
    },
    keys: ["library"],
    read: () => queries.fetchQuery({ ...libraryQuery, staleTime: 0 }),
    save: async (fields, { version, fields: before }) =>
      (await updateLibrary(findChanges(fields, before), version)).library,
  });
}

interface SettingsProps {
  library: Library;
  channels: readonly Schemas["ListedChannel"][];
}

export function SettingsForm({ library, channels }: SettingsProps) {
  const { t } = useTexts("library");
  const { form, submit, isPending, notice } = useSettingsForm(library);
  const rules = RULES.map((value) => ({ value, label: t(`library.rules.${value}`) }));
  const choices = channels.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <PageForm
      {...{ form, submit, isPending }}
      label={t("library.settings")}
      action={t("library.saveSettings")}
    >
      {notice}
      <TextInput
        label={t("words.name")}
        description={t("library.nameHint")}
        maxLength={300}
        dir="auto"
        {...form.getInputProps("name")}
      />
      <TextInput
        type="color"
        label={t("library.accentColor")}
        description={t("library.accentHint")}
        w={{ base: "100%", xs: 320 }}
        {...form.getInputProps("accentColor")}
      />
      <LibraryPreview {...form.values} logo={library.logo} />
      <Fieldset legend={t("library.form")}>
        <div className={classes.choices}>
          {ASKED.map((name) => (
            <NativeSelect
              key={name}
              label={t(`library.${name}`)}
              data={rules}
              {...form.getInputProps(name)}
            />
          ))}
        </div>
      </Fieldset>
      <NativeSelect
        label={t("words.books")}
        data={[{ value: "", label: t("library.allBooks") }, ...choices]}
        {...form.getInputProps("channelId")}
      />
      <Checkbox
        label={t("library.offersAll")}
        description={
          form.values.channelId === "" ? t("library.offersAllHint") : t("library.offersAllOfChannelHint")
        }
        {...form.getInputProps("offersAll", { type: "checkbox" })}
      />
    </PageForm>
  );
}
