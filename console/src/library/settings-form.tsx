/** The settings of the library that don't depend on a language. */
import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../api/client.ts";
import { useJoinedSave } from "../forms/joined-save.tsx";
import { useUnsaved } from "../forms/unsaved.ts";
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

const readStored = (library: Library) => ({ version: library.version, fields: readFields(library) });

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

function useSave(library: Library, form: UseFormReturnType<Fields>) {
  const { t } = useTexts("library");
  const queries = useQueryClient();
  return useJoinedSave({
    form,
    stored: readStored(library),
    labels: {
      name: t("library.name"),
      accentColor: t("library.accentColor"),
      lastName: t("library.lastName"),
      phone: t("library.phone"),
      country: t("library.country"),
      offersAll: t("library.offersAll"),
      channelId: t("library.channelId"),
    },
    keys: ["library"],
    read: async () => readStored(await queries.fetchQuery({ ...libraryQuery, staleTime: 0 })),
    async save(fields, { version, fields: before }) {
      const saved = await updateLibrary(findChanges(fields, before), version);
      return readStored(saved.library);
    },
  });
}

interface SettingsProps {
  library: Library;
  channels: readonly Schemas["ListedChannel"][];
}

export function SettingsForm({ library, channels }: SettingsProps) {
  const { t } = useTexts("library");
  const form = useForm<Fields>({ initialValues: readFields(library) });
  const { store, isPending, notice } = useSave(library, form);
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  const saySaved = () => notifications.show({ message: t("saved") });
  const submit = form.onSubmit((fields) => store(fields, saySaved));
  const rules = RULES.map((value) => ({ value, label: t(`library.rules.${value}`) }));
  const choices = channels.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <form onSubmit={submit} aria-label={t("library.settings")}>
      <Stack>
        {notice(saySaved)}
        <TextInput
          label={t("library.name")}
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
          label={t("library.channelId")}
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
        <Group>
          <Button type="submit" loading={isPending} disabled={!isDirty} data-save>
            {t("library.saveSettings")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
