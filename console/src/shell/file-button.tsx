/** A button that lets files be chosen, also one that was chosen before. */
import { Button, type ButtonProps } from "@mantine/core";
import { useRef } from "react";

interface FileButtonProps extends ButtonProps {
  /** Gets at least one file; one that was changed meanwhile, under the same name, too. */
  take(files: File[]): void;
  /** The types of files that can be chosen. */
  accept?: string;
  multiple?: boolean;
  /** Whether a folder is chosen, with all files in it. */
  isFolder?: boolean;
  "aria-label"?: string;
}

export function FileButton({ take, accept, multiple, isFolder = false, ...props }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={(element) => {
          if (element) element.webkitdirectory = isFolder;
          input.current = element;
        }}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Browsers report a change only: without this, nothing happens when a file is chosen once more.
          currentTarget.value = "";
          if (files.length > 0) take(files);
        }}
      />
      <Button variant="default" {...props} onClick={() => input.current?.click()} />
    </>
  );
}
