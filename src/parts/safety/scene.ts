import { isUnknown, MARK } from './marks.ts';

export interface Place {
  /** Where the next command stands; `undefined` when that is only known when it runs. */
  readonly cwd: string | undefined;
  readonly home: string;
  /** Where the line began: the working folder of the session. */
  readonly base: string;
}

/** How much text may come out of variables and nested lines, as a multiple of the line: judging stays linear. */
const GROWTH = 8;
const ROOM = 100_000;
const MAX_VALUE = 4_000;
/** Texts of one pipeline that are judged; a shell at its end is asked about in any case. */
const MAX_FEED = 16;
/** What judging a text costs besides its length. */
const COST = 400;
const ASSIGNMENT = /^(\w+)(\+?)=([\s\S]*)$/;
const DECLARES = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
/** Commands that give variables a value nobody knows yet. */
const FILLS = new Set(['read', 'for', 'select', 'unset', 'mapfile', 'readarray', 'printf', 'getopts', 'let']);

/** What a line has done to the shell up to the command that is being judged: where it stands and what it has set. */
export class Scene {
  private cwd: string | undefined;
  private readonly home: string;
  private readonly base: string;
  private left: number;
  private readonly values = new Map<string, string>();
  private readonly undo: { readonly name: string; readonly value: string | undefined }[] = [];
  private readonly outer: { readonly cwd: string | undefined; readonly undo: number }[] = [];
  private feed: string[] = [];

  constructor(cwd: string, home: string, length: number) {
    this.cwd = cwd;
    this.base = cwd;
    this.home = home;
    this.left = length * GROWTH + ROOM;
  }

  get place(): Place {
    return { cwd: this.cwd, home: this.home, base: this.base };
  }

  /** False when too much has been read already. */
  afford(length: number): boolean {
    this.left -= length;
    return this.left >= 0;
  }

  valueOf(name: string): string | undefined {
    const value = this.values.get(name) ?? (name === 'HOME' ? this.home : name === 'PWD' ? this.cwd : undefined);
    return value !== undefined && this.afford(value.length) ? value : undefined;
  }

  enter(): void {
    this.outer.push({ cwd: this.cwd, undo: this.undo.length });
  }
  leave(): void {
    const outer = this.outer.pop();
    if (outer === undefined) return;
    this.cwd = outer.cwd;
    for (const { name, value } of this.undo.splice(outer.undo).toReversed()) this.put(name, value);
  }
  /** Judges something that runs in a shell of its own. */
  apart<T>(judge: () => T): T {
    const { feed, outer } = this;
    const depth = outer.length;
    this.enter();
    this.feed = [];
    const result = judge();
    // A refusal ends in the middle of what was entered.
    while (outer.length > depth) this.leave();
    this.feed = feed;
    return result;
  }

  /** What a command is fed, and from here on its pipeline. */
  pipe(piped: boolean, gives: readonly string[], own: readonly string[]): readonly string[] {
    const before = piped ? this.feed : [];
    this.feed = piped && gives.length === 0 ? before : [...before, ...gives].slice(0, MAX_FEED);
    return [...before, ...own].filter((text) => this.afford(text.length + COST));
  }

  /** Takes over what a command leaves behind in the shell. */
  after(words: readonly string[], pathOf: (word: string) => string | undefined): void {
    const [name = '', ...args] = words;
    if (ASSIGNMENT.test(name) || DECLARES.has(name)) for (const word of words) this.assign(word);
    if (FILLS.has(name)) for (const word of args) if (this.values.has(word)) this.set(word, undefined);
    if (name === 'popd') this.cwd = undefined;
    if (name !== 'cd' && name !== 'pushd') return;
    const folder = args.find((word) => !/^-./.test(word)) ?? '~';
    const path = folder === '-' ? undefined : pathOf(folder);
    this.cwd = path === undefined || path.length > MAX_VALUE ? undefined : path;
  }

  private assign(word: string): void {
    const [, name, added, value = ''] = ASSIGNMENT.exec(word) ?? [];
    if (name === undefined) return;
    const whole = added === '+' ? (this.values.get(name) ?? MARK.unknown) + value : value;
    this.set(name, isUnknown(whole) || whole.length > MAX_VALUE ? undefined : whole);
  }
  private set(name: string, value: string | undefined): void {
    if (this.outer.length > 0) this.undo.push({ name, value: this.values.get(name) });
    this.put(name, value);
  }
  private put(name: string, value: string | undefined): void {
    if (value === undefined) this.values.delete(name);
    else this.values.set(name, value);
  }
}
