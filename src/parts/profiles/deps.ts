import type { HomeUser } from '../../contracts/services/profiles.ts';

/** What profiles need of the parts that own the files. */
export interface ProfileDeps {
  /** The home this program runs in. */
  readonly home: string;
  readonly now: () => number;
  /** The text of a settings file without sections for channels and, for an export, without secrets; and what was left out. */
  cleanSettings(text: string, options: { readonly secrets: boolean }): Promise<CleanedText>;
  /** Takes secrets of a home, and what only looks like one, out of a text. */
  scrub(home: string): (text: string) => string;
  /** The model and the provider a settings file names. */
  readModel(configFile: string): Promise<{ readonly model?: string; readonly provider?: string }>;
  /** Writes a whole copy of a home's session store; `false` where there is none. */
  copyStore(fromHome: string, toFile: string): Promise<boolean>;
  /** Who works in a home; undefined when it is free. */
  findUser(home: string): Promise<HomeUser | undefined>;
}
export interface CleanedText {
  readonly text: string;
  readonly removed: readonly string[];
}
