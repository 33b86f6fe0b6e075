import type { MigrationItem } from '../../../contracts/services/migration.ts';
import type { ScanText } from '../../../contracts/scan.ts';
import type { SessionStore } from '../../../contracts/session-store.ts';
import type { ForeignJob, ForeignSkill } from '../foreign/foreign-home.ts';

/** Our home, as far as a take-over needs it. Looking at it changes nothing; only `write…`, `add…`, `install` and the store do. */
export interface MigrationTarget {
  /** Our home's folder. */
  readonly root: string;
  /** The other home is this very folder. */
  readonly shared: boolean;
  readonly scan: ScanText;
  readonly config: ConfigTarget;
  readonly variables: VariableTarget;
  readonly memory: MemoryTargetPort;
  readonly skills: SkillTarget;
  readonly jobs: JobTarget;
  /** What is known of sessions that were taken before; absent when there is no store yet. */
  readonly known?: Pick<SessionStore, 'fact' | 'find' | 'jobs'>;
  /** Opens the store to write to it. */
  store(): Promise<SessionStore>;
}

export interface ConfigTarget {
  readonly path: string;
  /** Our file; absent when there is none. */
  readonly text?: string;
  /** The settings a text sets, what is wrong with it, and how many keys have no meaning here. */
  read(text: string): Promise<ConfigText>;
  /** Words of refusal for a value that would be misread. */
  refuse(key: string, value: unknown): string | undefined;
  withSetting(text: string, key: string, value: unknown): string;
  withoutSetting(text: string, key: string): string;
  write(text: string): void;
}
export interface ConfigText {
  readonly values: ReadonlyMap<string, unknown>;
  readonly problems: readonly { readonly key: string; readonly words: string }[];
  readonly ignored: number;
}

export interface VariableTarget {
  readonly path: string;
  readonly values: ReadonlyMap<string, string>;
  /** Words of refusal for a variable that names a setting and would be misread. */
  refuse(name: string, value: string): string | undefined;
  add(name: string, value: string): void;
}

/** What would become of something, found out without changing anything. */
export type ItemPreview = Pick<PlannedItem, 'why' | 'findings'> & { readonly state: 'take' | 'present' | 'left' };

export interface MemoryTargetPort {
  /** The file of a memory, below the home. */
  pathOf(target: 'memory' | 'user'): string;
  /** What would become of entries that are added one after the other, by the settings in a text of `config.yaml`. */
  preview(target: 'memory' | 'user', entries: readonly string[], config: string): Promise<readonly ItemPreview[]>;
  /** Gives words of refusal when the entry is not added. */
  add(target: 'memory' | 'user', entry: string): Promise<string | undefined>;
}

export interface SkillTarget {
  /** What the scan finds in a folder. */
  inspect(folder: string): readonly string[];
  /** What would become of it; one by its name that is here already stays. */
  preview(skill: ForeignSkill): Promise<ItemPreview>;
  /** Gives words of refusal when it is not installed. */
  install(skill: ForeignSkill): Promise<string | undefined>;
}

export interface JobTarget {
  /** Whether there is one of its name that does the same. */
  isKnown(job: ForeignJob): Promise<boolean>;
  /** Adds it, paused; gives words of refusal when it cannot be. */
  add(job: ForeignJob): Promise<string | undefined>;
}

/** An item with the step that takes it. */
export interface PlannedItem extends MigrationItem {
  /** A file of ours that the step changes, and that is saved before. */
  readonly changes?: string;
  /** Takes it. What it gives replaces what was planned; nothing given means that it was taken. */
  readonly take?: () => Promise<Partial<MigrationItem> | undefined>;
}

/** A step that either does its work or throws. */
export const taking = (work: () => void) => async (): Promise<undefined> => {
  work();
  return undefined;
};
export const leave = (kind: MigrationItem['kind'], name: string, why: string): PlannedItem => ({ kind, name, state: 'left', why });
export const have = (kind: MigrationItem['kind'], name: string, why?: string): PlannedItem => ({
  kind,
  name,
  state: 'present',
  ...(why !== undefined && { why }),
});
export const SHARED_FILE = 'both programs use this file';
