import type { SettingField } from '../settings.ts';

/** The owner's settings file and the secrets beside it. */
export interface ConfigurationService {
  /** Where the settings file is, whether it is there or not. */
  readonly path: string;
  /** Every setting there can be. */
  declared(): readonly DeclaredSetting[];
  /** Every setting as it stands, secrets masked, and all that is wrong with the file or a variable. */
  standing(): Promise<SettingStates>;
  /** The settings as JSON Schema. */
  schema(): unknown;
  /** A variable of `.env` or the environment, masked where it is a secret. `undefined` for a name that is no variable's. */
  variable(name: string): VariableLine | undefined;
  /** Changes one setting in the file, or one secret in `.env`; nothing is written unless it is right. */
  set(key: string, value: string): Promise<ChangedSetting>;
  /** Changes several settings in one write, or none; `undefined` takes one out. Also a key below a table: `providers.mine.base_url`. */
  change(settings: Readonly<Record<string, string | undefined>>): Promise<ChangedSettings>;
  /** Takes one setting out of the file, or one variable out of `.env`. */
  unset(key: string): Promise<RemovedSetting>;
  /** Moves settings of earlier versions and of the Python system to where they are read today; a copy of the file is kept. */
  migrate(isDryRun: boolean): Promise<MigrationReport>;
  /** Makes an empty settings file where there is none. */
  create(): void;
  /** Whether a name is that of a secret. */
  isSecret(name: string): boolean;
  /** Why there is no such setting, and what may have been meant. */
  unknown(key: string): string;
}

/** A setting as the owner sees it. */
export interface SettingLine {
  readonly key: string;
  readonly type: string;
  readonly default: unknown;
  readonly describe: string;
  readonly env?: string;
  readonly flag?: string;
}
/** One setting as it is declared: what `config schema` and the reference page are made of. */
export interface DeclaredSetting extends SettingLine {
  readonly field: SettingField;
}
/** One setting as it stands: its value, fit to be shown, and where that comes from. */
export interface SettingState extends DeclaredSetting {
  readonly value: unknown;
  readonly from: 'default' | 'file' | 'env';
  readonly place: string;
}
export interface SettingStates {
  readonly settings: readonly SettingState[];
  readonly problems: readonly SettingProblem[];
  /** Worth a word, no reason to stop. */
  readonly warnings: readonly SettingProblem[];
}
export interface SettingProblem {
  /** Empty when it is about the whole file. */
  readonly key: string;
  readonly line?: number;
  /** The variable it is about, when it is not about the file. */
  readonly variable?: string;
  /** The file with its line, or the variable. */
  readonly where: string;
  readonly words: string;
  readonly cure: string;
  /** There is no such setting; it has no effect. */
  readonly unknown?: true;
  /** The setting that may have been meant. */
  readonly nearest?: string;
  /** All of it in one sentence or two. */
  readonly sentence: string;
}
export interface ChangedSettings {
  readonly file: string;
  /** Those that were something else before. */
  readonly changed: readonly string[];
}
export interface MigrationReport {
  readonly file: string;
  readonly moves: readonly SettingMove[];
  /** What stays without effect, because its new place is taken or its value cannot be used. */
  readonly left: readonly SettingMove[];
  /** Secrets that went to `.env`. */
  readonly variables: readonly string[];
  /** A unified diff without secrets; empty when nothing changes. */
  readonly diff: string;
  /** The copy of the file as it was; absent when nothing was written. */
  readonly backup?: string;
}
export interface SettingMove {
  readonly from: string;
  readonly to: readonly string[];
}
export interface VariableLine {
  readonly name: string;
  /** Absent when it is not set. */
  readonly value?: string;
}
export interface RemovedSetting {
  readonly key: string;
  readonly file: string;
  /** Whether it was there. */
  readonly removed: boolean;
  /** What holds now; absent for a variable. */
  readonly default?: unknown;
}
export interface ChangedSetting {
  readonly key: string;
  /** As it was written; a secret is masked. */
  readonly value: unknown;
  readonly file: string;
  /** It went to `.env`, which only the owner can read. */
  readonly isVariable: boolean;
}
