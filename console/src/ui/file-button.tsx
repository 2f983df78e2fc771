/** Lets files be chosen by a button or an entry of a menu, also one that was chosen before. */
import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useRef } from "react";

/** Gets at least one file; one that was changed meanwhile, under the same name, too. */
type TakeFiles = (files: File[]) => void;

interface FileChoiceOptions {
  /** The types of files that can be chosen. */
  accept?: string | undefined;
  multiple?: boolean | undefined;
  /** Whether a folder is chosen, with all files in it. */
  isFolder?: boolean;
  /** Gets what is put into the input without `choose`, as programs that help people to use a browser do. */
  take?: TakeFiles;
}

/** An input that stays while files are chosen, also when the menu that asked for them is closed, and what opens the choice. */
export function useFileChoice({ accept, multiple, isFolder = false, take }: FileChoiceOptions = {}) {
  const input = useRef<HTMLInputElement>(null);
  const taker = useRef<TakeFiles>(undefined);
  const element: ReactNode = (
    <input
      ref={(created) => {
        if (created) created.webkitdirectory = isFolder;
        input.current = created;
      }}
      type="file"
      hidden
      accept={accept}
      multiple={multiple}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        // Browsers report a change only: without this, nothing happens when a file is chosen once more.
        currentTarget.value = "";
        if (files.length > 0) (taker.current ?? take)?.(files);
      }}
    />
  );
  return {
    element,
    choose(chosenBy: TakeFiles) {
      taker.current = chosenBy;
      input.current?.click();
    },
  };
}

interface FileButtonProps extends ButtonProps, FileChoiceOptions {
  take: TakeFiles;
  "aria-label"?: string;
}

export function FileButton({ take, accept, multiple, isFolder = false, ...props }: FileButtonProps) {
  const { element, choose } = useFileChoice({ accept, multiple, isFolder, take });
  return (
    <>
      {element}
      <Button variant="default" {...props} onClick={() => choose(take)} />
    </>
  );
}
