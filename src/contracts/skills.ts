/** A skill as the index knows it: the head of its SKILL.md. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** The folder of SKILL.md, absolute. */
  readonly folder: string;
  readonly origin: SkillOrigin;
  /** Operating systems it is for (`macos`, `linux`, `windows`); empty means all. */
  readonly platforms: readonly string[];
  readonly conditions: SkillConditions;
  readonly tags: readonly string[];
  readonly related: readonly string[];
  readonly version?: string;
}
/** Where a skill's folder lies. Earlier in this list wins when two have the same name. */
export type SkillOrigin = 'user' | 'bundled' | 'external';

export interface SkillConditions {
  /** Hidden unless all of these are there. */
  readonly requiresTools: readonly string[];
  readonly requiresToolsets: readonly string[];
  /** Hidden when any of these is there. */
  readonly fallbackForTools: readonly string[];
  readonly fallbackForToolsets: readonly string[];
}

/** What decides which skills are shown. */
export interface SkillContext {
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
  /** Where the session is held; skills can be switched off per platform. */
  readonly platform: string;
}

/** One line for the owner about a file that could not be used. Never a failed start. */
export interface SkillProblem {
  readonly path: string;
  readonly words: string;
}

export interface SkillListing {
  readonly skills: readonly Skill[];
  /** Descriptions of categories that have one, by category. */
  readonly categories: Readonly<Record<string, string>>;
  readonly problems: readonly SkillProblem[];
}

/**
 * Every skill of the bundled, user and external folders. Sees a changed, added or removed SKILL.md or DESCRIPTION.md at
 * the next call, in this process or another, without reading what has not changed.
 */
export interface SkillCatalog {
  all(): Promise<SkillListing>;
  /** Those shown in this scene: conditions, operating system and switched-off names are taken into account. */
  shown(context: SkillContext): Promise<SkillListing>;
  find(name: string): Promise<Skill | undefined>;
}
