import type { ThreatFinding } from '../scan.ts';
import type { Skill, SkillOrigin, SkillProblem } from '../skills.ts';

/** Procedures the agent can load, as their owner looks after them. */
export interface SkillService {
  survey(): Promise<SkillSurveyView>;
  view(name: string): Promise<SkillResult<SkillView>>;
  /** One of the files of a skill. */
  file(name: string, path: string): Promise<SkillResult<string>>;
  /** Fetches, looks through, asks and installs. Trouble with one of several is told in its row. */
  install(source: string, options: SkillInstallOptions): Promise<readonly SkillInstallRow[]>;
  /** Gives where it lies now. */
  remove(name: string): Promise<SkillResult<string>>;
  check(): Promise<readonly SkillCheckView[]>;
}
export type SkillResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly words: string };

/** A skill as its owner looks at it. */
export interface SkillRowView {
  readonly skill: Skill;
  /** Why it is not shown to the model here; absent when it is. */
  readonly hidden?: string;
  /** Where it was installed from. */
  readonly source?: string;
  readonly madeByAgent: boolean;
  readonly problems: readonly string[];
}
export interface SkillSurveyView {
  readonly rows: readonly SkillRowView[];
  /** Files that give no skill at all. */
  readonly problems: readonly SkillProblem[];
}
export interface SkillView {
  readonly skill: Skill;
  readonly page: { readonly body: string };
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly missing: readonly { readonly kind: 'variable' | 'file'; readonly name: string; readonly purpose?: string }[];
  readonly admission: { readonly allow: true; readonly notices: readonly string[] } | { readonly allow: false; readonly notice: string };
}
export interface SkillCheckView {
  readonly name: string;
  readonly folder: string;
  readonly origin?: SkillOrigin;
  readonly issues: readonly { readonly kind: string; readonly words: string; readonly severe: boolean }[];
}
export interface SkillInstallOptions {
  /** Asked before anything is put in its place. */
  readonly confirm: (plan: SkillInstallView) => Promise<boolean>;
  readonly cwd: string;
  readonly force: boolean;
  readonly category: string | undefined;
  readonly name: string | undefined;
}
/** What would be installed, told before it is. */
export interface SkillInstallView {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly target: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly findings: readonly (ThreatFinding & { readonly file: string })[];
  readonly absent: readonly string[];
  readonly replaces?: string;
  readonly covers?: string;
}
export type SkillInstallRow =
  | { readonly did: 'installed'; readonly plan: SkillInstallView }
  | { readonly did: 'refused' | 'declined'; readonly name: string; readonly words: string };
