/** The address and the password of an account, as browsers and their password managers know them. */
import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useTexts } from "../messages/index.tsx";

export function EmailField(props: TextInputProps) {
  const { t } = useTexts();
  return <TextInput label={t("session.email")} type="email" autoComplete="username" dir="ltr" {...props} />;
}

/** The button that shows what is typed is for the eye only. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput required visibilityToggleButtonProps={{ "aria-hidden": true }} {...props} />
);
