import { resolve } from 'node:path';
import type { CommandLocation, CommandVerdict } from '../../../../contracts/safety.ts';
import { lazyByKey } from '../../../../base/lazy.ts';
import { compareDangers } from '../../approval/classes.ts';
import { followLinks } from '../places/links.ts';
import type { RemotePlace, ShellContext } from '../places/shell-context.ts';
import type { CommandList, ShellCommand } from '../../../../base/shell/ast.ts';
import { MAX_DEPTH, type StepMeter } from '../../../../base/shell/cursor.ts';
import { readShell, type ShellReading, UNREAD } from '../../../../base/shell/read.ts';
import { type Choices, hasMarks, withoutMarks } from '../values/marks.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { type CallOutcome, createShellState, type ShellInput, type ShellState, withFolders, withValue } from './state.ts';

/** A home on another machine: nothing below it is anything here. */
const ELSEWHERE = '/elsewhere';
/** How much a line may leave behind that later commands of it can meet again. */
const MAX_FILES = 200;
/** What judging may cost for each character that is read. */
export const COST = 60;
/** A shell within a shell counts for as much as this many layers of one line. */
const DEPTH_OF_A_SHELL = 8;
/** Scripts of the disk that are read for one line. */
const MAX_READ = 24;

/** Words hold commands and commands hold words: the shell carries whoever walks commands, so that both can be read apart. */
export interface ShellWalk {
  list(shell: Shell, list: CommandList, input: ShellInput): readonly string[];
  command(shell: Shell, command: ShellCommand, input: ShellInput): CallOutcome;
}

/** The shell a line would run in, as far as it can be known without running it. */
export class Shell {
  state: ShellState;
  readonly meter: StepMeter;
  readonly walk: ShellWalk;
  readonly rules: readonly CommandRule[];
  /** Whether what the shell cannot know counts as a danger of its own. */
  readonly strict: boolean;
  readonly functions = new Map<string, ShellCommand>();
  readonly aliases = new Map<string, string>();
  /** Bodies of functions being run, so that one which calls itself ends. */
  readonly running: ShellCommand[] = [];
  /** Names of the scripts being run, for the same reason. */
  readonly scripts: string[] = [];
  /** Texts this line wrote into files, by path. */
  readonly files = new Map<string, readonly string[]>();
  readonly links = new Map<string, string>();
  /** Programs under another name: copies and links this line made. */
  readonly programs = new Map<string, string>();
  readonly folders = new Set<string>();
  depth = 0;
  /** Containers, clusters, servers it has made. */
  readonly made = new Set<string>();
  /** Earlier commands may have left what nobody knows of. */
  lost = false;
  /** The classes of danger to ask about, each with the first reason for it. */
  private readonly dangers = new Map<string, string>();
  refused: CommandVerdict | undefined;
  private readonly start: CommandLocation;

  constructor(start: CommandLocation, meter: StepMeter, walk: ShellWalk, rules: readonly CommandRule[], strict: boolean) {
    this.start = start.look === undefined ? start : { ...start, look: lazyByKey(start.look) };
    this.meter = meter;
    this.walk = walk;
    this.rules = rules;
    this.strict = strict;
    const fresh = createShellState(start.cwd, start.home);
    this.state = start.profile === undefined ? fresh : withValue(fresh, 'HERMES_HOME', [[start.profile]]);
  }

  /** A line as it stands here. However often it is met it is read once, and paid for each time. */
  read(line: string): ShellReading {
    const reading = readShell(line);
    this.meter.spent += reading.steps;
    return this.meter.spent > this.meter.most || reading.depth + this.depth * DEPTH_OF_A_SHELL > MAX_DEPTH ? UNREAD : reading;
  }

  place(cwd: string | undefined): ShellContext {
    const { home, look, keeps, masks, profile, programFolders = [], workspace: base = this.start.cwd } = this.start;
    // Every rule asks about the same paths, and each answer costs a look at the disk.
    const real = lazyByKey((path: string): string =>
      this.links.size === 0 && look === undefined && !path.startsWith('/proc/') ? path : followLinks(path, cwd, this.links, look),
    );
    if (this.remote !== undefined) return { cwd, home: ELSEWHERE, base: '/', programFolders: [], remote: this.remote };
    return {
      cwd,
      home,
      base,
      real,
      made: this.made,
      programFolders,
      ...(look !== undefined && { look }),
      ...(keeps !== undefined && { keeps }),
      ...(masks !== undefined && { masks }),
      ...(profile !== undefined && { profile }),
    };
  }

  private remote: RemotePlace | undefined;
  /** Runs something on another machine: there is no floor below it, only consent. */
  elsewhere<Value>(where: RemotePlace, run: () => Value): Value {
    const { remote, state } = this;
    this.remote = where;
    this.state = withFolders(state, [undefined]);
    const value = run();
    [this.remote, this.state] = [remote, state];
    return value;
  }

  /** Another shell in the same place that has seen nothing yet. */
  aside<Value>(run: (other: Shell) => Value): Value {
    return run(new Shell({ ...this.start, carried: undefined }, this.meter, this.walk, this.rules, this.strict));
  }

  private quiet = false;
  /** Follows what has been judged before: nothing of it is noted. */
  quietly(run: () => unknown): void {
    this.quiet = true;
    run();
    this.quiet = false;
  }

  note(type: 'ask' | 'refuse', key: string, reason: string): void {
    if (this.quiet) return;
    if (type === 'refuse' && this.remote === undefined) this.refused ??= { type, reason, key };
    else if (!this.dangers.has(key) && this.dangers.size < MAX_CLASSES) this.dangers.set(key, reason);
  }
  get asked(): CommandVerdict | undefined {
    return toAskVerdict(this.dangers);
  }

  judge(call: Call): void {
    if (this.quiet) return;
    this.meter.pay(this.rules.length + 200 * call.args.length);
    for (const rule of this.rules) {
      if (rule.type === 'refuse' && this.refused !== undefined) continue;
      if (rule.matches(call, call.place)) this.note(rule.type, rule.key ?? rule.reason.replaceAll(/\W+/g, '_'), rule.reason);
    }
  }

  /** Names of the programs called so far, for those who ask what a loop does. */
  readonly called: string[] = [];
  trace(name: string): void {
    if (this.called.length < MAX_FILES * 100) this.called.push(name);
  }

  set(name: string, value: Choices | undefined): void {
    this.state = withValue(this.state, name, value);
  }

  /** Runs something in a shell of its own: where it goes and what it sets ends with it. */
  apart<Value>(run: () => Value): Value {
    const { state } = this;
    const value = run();
    this.state = state;
    return value;
  }

  remember(path: string, texts: readonly string[]): void {
    if (this.files.size < MAX_FILES) this.files.set(path, texts);
  }
  /** What stands in a file: what this line wrote there, or what the agent wrote before it. */
  textsOf(word: string, cwd: string | undefined): readonly string[] | undefined {
    if (this.files.size === 0 && this.start.read === undefined) return undefined;
    const path = resolve(cwd ?? '/', word);
    return this.files.get(path) ?? this.onDisk(path);
  }
  private readonly seen = new Map<string, readonly string[] | undefined>();
  private onDisk(path: string): readonly string[] | undefined {
    const { read } = this.start;
    // Elsewhere a path is another file, and a name that is not known is none.
    if (read === undefined || this.remote !== undefined || hasMarks(path)) return undefined;
    if (!this.seen.has(path) && this.seen.size < MAX_FILES) {
      const text = [...this.seen.values()].filter((each) => each !== undefined).length < MAX_READ ? read(path) : undefined;
      this.meter.allow((text?.length ?? 1) * COST);
      this.seen.set(path, text === undefined ? undefined : [withoutMarks(text)]);
    }
    return this.seen.get(path);
  }
}

/** Classes one verdict names at most; a line with more is no clearer for them. */
const MAX_CLASSES = 8;
/** Reasons that say no more than that of a worse class does. */
const IMPLIED: Readonly<Record<string, string>> = { not_reading: 'privilege', overwrite_outside: 'system_write' };

/** The question about all dangers of a line: consent to one is no consent to another, and each has its reason, the worst first. */
function toAskVerdict(dangers: ReadonlyMap<string, string>): CommandVerdict | undefined {
  if (dangers.size === 0) return undefined;
  const told = [...dangers.keys()].filter((name) => !dangers.has(IMPLIED[name] ?? '')).toSorted(compareDangers);
  const reasons = new Set(told.map((name) => dangers.get(name) ?? name));
  return { type: 'ask', reason: [...reasons].join('; '), key: [...dangers.keys()].join('+') };
}
