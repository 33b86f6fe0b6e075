import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';

/** Replaces a file whole, with words for a person when that cannot be done. */
export function writeWhole(path: string, text: string, mode?: number): void {
  try {
    replaceFile(path, text, mode);
  } catch (error) {
    throw new UsageError(
      `${path} could not be written: ${toErrorMessage(error)}. Nothing was changed. Make its folder writable, or set HERMES_HOME to another one.`,
    );
  }
}
