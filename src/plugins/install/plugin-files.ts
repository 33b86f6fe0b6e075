import { UsageError } from '../../base/errors.ts';

/** A file of a plugin that is about to be installed: nothing of it is on the disk yet. */
export interface PluginFile {
  /** Relative to the plugin's folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What is installed fits into memory; what is larger belongs into the plugin's data folder. */
export const INSTALL_LIMITS = { archiveBytes: 32_000_000, bytes: 64_000_000, files: 4_000, pathLength: 240 } as const;

/** Written beside the plugin's own files: where it came from, so that an update knows where to look. */
export const ORIGIN_FILE = '.hermes-install.json';

/** Made anew by whoever installs, or of no use there. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', ORIGIN_FILE]);
export const isLeftOut = (path: string): boolean => LEFT_OUT.has(path.split('/')[0] ?? '');

/** Collects files and refuses what has no place in a plugin: a path that leads out, two files of one name, too many, too much. */
export function createFileCollector(): { add(path: string, bytes: Uint8Array): void; readonly files: readonly PluginFile[] } {
  const files: PluginFile[] = [];
  const names = new Set<string>();
  let size = 0;
  return {
    files,
    add: (path, bytes) => {
      checkPluginPath(path);
      // Some file systems take both for one.
      const name = path.toLowerCase();
      if (names.has(name)) throw new UsageError(`it holds ${JSON.stringify(path)} twice. Nothing was installed.`);
      names.add(name);
      size += bytes.length;
      if (size > INSTALL_LIMITS.bytes || names.size > INSTALL_LIMITS.files)
        throw new UsageError(
          `it holds more than ${INSTALL_LIMITS.files} files or ${INSTALL_LIMITS.bytes / 1_000_000} MB. Nothing was installed.`,
        );
      files.push({ path, bytes });
    },
  };
}

/** A path below the plugin's folder, and nowhere else. */
export function checkPluginPath(path: string): void {
  const parts = path.split('/');
  const isInside = path !== '' && parts.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\p{Cc}]|^[a-z]:/iu.test(path);
  if (!isInside || path.length > INSTALL_LIMITS.pathLength)
    throw new UsageError(
      `it holds the path ${JSON.stringify(path.slice(0, 120))}, which does not stay inside of its folder. Nothing was installed.`,
    );
}

export const readPluginText = (files: readonly PluginFile[], path: string): string | undefined => {
  const found = files.find((file) => file.path === path);
  return found === undefined ? undefined : Buffer.from(found.bytes).toString('utf8');
};
