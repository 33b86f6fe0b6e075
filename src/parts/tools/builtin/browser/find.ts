import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Names a Chromium goes by, the plainest first. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave',
  'brave-browser',
];
/** Where macOS keeps what is not on PATH. */
const APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge', 'Brave Browser'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

export const BROWSER_NEEDS =
  'A Chromium, Chrome, Edge or Brave on this machine (apt install chromium, brew install --cask chromium), or its path in browser.executable or CHROME_PATH; and the package playwright-core.';

export interface FindOptions {
  /** The setting; empty when the owner named none. */
  readonly executable: string;
  /** A variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** The browser to use: the owner's word, then the environment's, then what is installed. */
export function findBrowser({ executable, variable }: FindOptions): string | undefined {
  const named = [executable, variable('CHROME_PATH') ?? ''].find((path) => path !== '');
  // A name that leads nowhere is not silently replaced by another browser.
  if (named !== undefined) return findProgram(named, variable);
  return NAMES.map((name) => findProgram(name, variable)).find((path) => path !== undefined) ?? APPLICATIONS.find(isProgram);
}

function findProgram(name: string, variable: FindOptions['variable']): string | undefined {
  if (isAbsolute(name)) return isProgram(name) ? name : undefined;
  const folders = (variable('PATH') ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Most places hold none: asked so that nothing is thrown for those, which would cost the start some milliseconds. */
function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package that speaks to it is optional: it may have been left out. Looked for as Node would, without loading Node's finder. */
export function hasPlaywright(folder = import.meta.dirname): boolean {
  if (existsSync(join(folder, 'node_modules', 'playwright-core', 'package.json'))) return true;
  return dirname(folder) !== folder && hasPlaywright(dirname(folder));
}
