import type { StyleRule } from '../../../contracts/terminal-extension.ts';
import type { Env } from '../../../base/env.ts';
import type { Styles } from '../contract.ts';
import { readColorDepth } from '../theme/colors.ts';
import { readSkin, type Skin } from '../theme/skin.ts';
import { createStyles } from '../theme/styles.ts';
import { chooseTheme, THEMES } from '../theme/themes.ts';

/** How the screen looks: the theme, by its name or by the background, and over it the owner's own. */
export interface Look {
  readonly style: Styles;
  readonly skin: Skin;
}
export interface LookOptions {
  readonly env: Env;
  /** `display.skin`. */
  readonly name: string;
  readonly background: 'light' | 'dark' | undefined;
  readonly extensions: Readonly<Record<string, StyleRule>>;
  /** The owner's file of that name, when it was looked for and found. */
  readonly file?: unknown;
}

export function createLook({ env, name, background, extensions, file }: LookOptions): Look {
  const theme = chooseTheme(name, background) ?? chooseTheme('default', background);
  const skin = readSkin(file);
  return { style: createStyles(readColorDepth(env), extensions, theme?.styles ?? {}, skin.styles), skin };
}

/** A name that is no theme of ours: a file of the owner's, or a mistake. */
export const isOwnSkin = (name: string): boolean => chooseTheme(name, undefined) === undefined;
export const describeUnknownSkin = (name: string, folder: string): string =>
  `There is no theme ${name}: neither one of ours (default, ${THEMES.map((theme) => theme.name).join(', ')}) nor a file ${name}.yaml in ${folder}.`;
