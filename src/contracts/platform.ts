/** What a session's platform decides. What a model should know of the place its words go to is said part by part; a part that is empty is not. */
export interface Platform {
  readonly platform: string;
  readonly markup?: string;
  readonly media?: string;
  readonly own?: string;
  /** Said only where the files that tools work on are those of this machine. */
  readonly local?: string;
  /** Said only where the tool of that name is there. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Somebody sits in front of it: commands run at this machine unless the settings say where, in a sandbox everywhere else. */
  readonly attended?: true;
  /** Toolsets of a session that names none; absent means the toolset `hermes-PLATFORM`, else the setting `toolsets`. */
  readonly toolsets?: readonly string[];
}

/** Where scheduled jobs are held: nobody is present. */
export const CRON_PLATFORM = 'cron';
