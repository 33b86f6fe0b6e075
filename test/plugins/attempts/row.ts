/** What one row says. README.md beside this file explains every field; nothing here knows how plugins are held. */
export interface Attempt {
  /** What is tried, as "reads a file of the owner through a link in its data folder". No two rows have the same. */
  readonly name: string;
  /** `never`: it must not come off, whatever is declared. `declared`: it must come off where it is declared, and nowhere else. */
  readonly allowed: 'never' | 'declared';
  /** Lines of plugin.yaml that stand only in the declared run. Left out: every capability there is. */
  readonly declares?: string;
  /** Lines of plugin.yaml that stand in both runs. Left out: one tool that runs `code`. */
  readonly manifest?: string;
  /** Body of an async function in the plugin, with `host`, `input` and `context`. What it returns is the answer. */
  readonly code?: string;
  /** Body of `setup(host, settings)`, for what a tool cannot try. */
  readonly setup?: string;
  /** More files of the plugin, or other ones in place of `plugin.yaml` and `index.js`. */
  readonly files?: Readonly<Record<string, string>>;
  /** The plugin is installed as an archive, with these entries beside its files. */
  readonly archive?: readonly ArchiveEntry[];
  /** What is called once the plugin is enabled, in a session. Left out: its own tool. */
  readonly calls?: { readonly tool: string; readonly input: Readonly<Record<string, string | number | boolean>> };
  /** `own`: it may end or stop its process, so nobody shares it. */
  readonly process?: 'shared' | 'own';
  /** Why the same code is not tried without walls, where it has to come off. */
  readonly noControl?: string;
  /** Why it is known to come off, although it must not. The proof lists it as open. */
  readonly open?: string;
  /** Why it comes off behind the floor, where it is declared: nothing is hidden there. The proof lists it. */
  readonly openBehindFloor?: string;
  readonly cameOff: Sign;
}

/** An entry of a tar archive: type `0` is a file, `1` a hard link, `2` a symbolic link, `5` a folder. */
export interface ArchiveEntry {
  readonly path: string;
  readonly text?: string;
  readonly type?: '0' | '1' | '2' | '3' | '4' | '5' | '6' | 'x' | 'L';
  readonly link?: string;
}

/** Places that hold a secret of their own. */
export const SECRET_PLACES = ['ownerFile', 'envFile', 'ownerDb', 'otherData', 'environment', 'key'] as const;
export type SecretPlace = (typeof SECRET_PLACES)[number];
/** Where somebody outside listens. */
export const EARS = ['tcp', 'unix', 'abstract', 'declared', 'undeclared'] as const;
export type Ear = (typeof EARS)[number];

/** What came of an attempt, as far as the program says. */
export interface AttemptResult {
  readonly installed: boolean;
  readonly enabled: boolean;
  /** Why it was not installed or not enabled. */
  readonly refusal: string;
  /** What its tool returned, as the plugin itself saw it, or what was thrown. */
  readonly answer: string;
  /** What the agent is given, block by block. */
  readonly blocks: readonly { readonly trust: string; readonly source: string; readonly text: string }[];
  /** Tools that the model is told of. */
  readonly tools: readonly string[];
  /** Lines that were shown to the owner: notices, consent, warnings, list, info, doctor. */
  readonly shown: readonly string[];
}
/** What the judge finds outside. Texts may have `{{words}}` as in rows. */
export interface Evidence {
  /** Whether a secret is found wherever the plugin could have brought it: its answer, its data, notices, what anybody heard. */
  has(place: SecretPlace): boolean;
  /** The bytes of a file now, and as the judge wrote it; `undefined` where there is none. */
  now(path: string): string | undefined;
  was(path: string): string | undefined;
  heard(ear: Ear): string | undefined;
  isAlive(who: 'bystander'): boolean;
  /** How many processes there are whose command line has this word. */
  countProcesses(word: string): number;
}
export type Sign = (evidence: Evidence, result: AttemptResult) => boolean;

export const leaked =
  (place: SecretPlace): Sign =>
  ({ has }) =>
    has(place);
export const changed =
  (path: string): Sign =>
  ({ now, was }) =>
    now(path) !== was(path);
/** A file that nobody else makes. */
export const made =
  (path: string): Sign =>
  ({ now }) =>
    now(path) !== undefined;
/** Somebody came, with these words where any are given. */
export const heard =
  (ear: Ear, words = ''): Sign =>
  (evidence) =>
    evidence.heard(ear)?.includes(words) === true;
export const died =
  (who: 'bystander'): Sign =>
  ({ isAlive }) =>
    !isAlive(who);
/** For what nobody outside can see. */
export const answered =
  (pattern: RegExp): Sign =>
  (_evidence, { answer }) =>
    pattern.test(answer);
export const agentGot =
  (pattern: RegExp): Sign =>
  (_evidence, { blocks }) =>
    blocks.some(({ text }) => pattern.test(text));
/** The agent takes its words for those of somebody else than the plugin. */
export const trusted: Sign = (_evidence, { blocks }) =>
  blocks.some(({ trust, source }) => trust !== 'foreign' || !source.startsWith('plugin '));
export const enabled: Sign = (_evidence, result) => result.enabled;
export const installed: Sign = (_evidence, result) => result.installed;
/** A character that a terminal obeys, or a line break where a line is meant, was shown to the owner. */
export const shownRaw: Sign = (_evidence, { shown }) => shown.some((line) => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(line));
export const anyOf =
  (...signs: readonly Sign[]): Sign =>
  (evidence, result) =>
    signs.some((sign) => sign(evidence, result));
