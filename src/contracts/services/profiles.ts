/** Homes beside each other: each has its own settings, keys, memory, skills and sessions. */
export interface ProfileService {
  /** The profile this program runs in. */
  readonly current: string;
  /** Every profile, the default one first. */
  list(): Promise<readonly ProfileRow[]>;
  show(name: string): Promise<ProfileView>;
  create(name: string, options: CreateProfileOptions): Promise<CreatedProfile>;
  /** Uses it whenever nobody names another. */
  use(name: string): Promise<ProfileRow>;
  rename(name: string, next: string): Promise<ProfileRow>;
  /** Moves it to the trash of the root and gives where it lies now. */
  remove(name: string): Promise<{ readonly name: string; readonly trash: string }>;
  /** Writes a `.tar.gz` without keys, channels, schedules and caches. Nothing that is there is overwritten. */
  exportTo(name: string, file: string, options: ExportProfileOptions): Promise<ExportedProfile>;
  /** Makes a profile of such a file. */
  importFrom(file: string, name: string | undefined): Promise<CreatedProfile>;
}

export interface ProfileRow {
  readonly name: string;
  readonly home: string;
  readonly description?: string;
  /** It is used when nobody names another. */
  readonly active: boolean;
  /** This program runs in it. */
  readonly current: boolean;
  /** As the settings file names it; absent where it does not. */
  readonly model?: string;
}
export interface ProfileView extends ProfileRow {
  readonly provider?: string;
  readonly hasKeys: boolean;
  readonly hasSoul: boolean;
  readonly skills: number;
  readonly hasSessions: boolean;
  readonly createdAt?: number;
}

export interface CreateProfileOptions {
  /** What is taken along: `settings` are settings, keys, SOUL.md and skills; `all` also memory, plugins and sessions. */
  readonly clone?: 'settings' | 'all';
  /** From which profile; the current one when left out. */
  readonly from?: string;
  readonly description?: string;
}
export interface CreatedProfile {
  readonly profile: ProfileRow;
  /** What was taken along. */
  readonly taken: readonly string[];
  /** What stayed behind on purpose: channels, schedules, keys. */
  readonly left: readonly string[];
  /** Of a profile that was imported: the settings in it that start programs or decide what is asked. */
  readonly powerful?: readonly string[];
}
export interface ExportProfileOptions {
  /** The session store too. */
  readonly sessions: boolean;
}
export interface ExportedProfile {
  readonly name: string;
  readonly file: string;
  readonly taken: readonly string[];
  readonly left: readonly string[];
}

/** Who works in a home, in words, and what to type to stop them. */
export interface HomeUser {
  readonly who: string;
  readonly stop: string;
}
