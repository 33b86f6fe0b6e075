/** How long a consent holds. A task is what one message set off. */
export type ConsentScope = 'once' | 'task' | 'session' | 'always';

/**
 * What tells one act of a class from its like, and holds a longer consent to it: the files it writes to, those it is about
 * otherwise, the folder it runs in, the working folder of the session, who it talks to, the program; `act`: what a program is
 * told to do where (`kubectl delete pod @namespace=staging`).
 */
export type PlaceKind = 'target' | 'operand' | 'here' | 'project' | 'host' | 'program' | 'act';

/** How far consent to a class can go. */
export interface ClassRow {
  /** The longest consent there can be. */
  readonly longest: ConsentScope;
  /** The shortest, where a yes opens what stays open; absent means once. */
  readonly shortest?: 'session';
  /**
   * What a longer consent is held to: a place of this kind; `line`: exactly these words with the files behind them; or
   * `command`: exactly these words, while the owner's list may name the class as a whole.
   */
  readonly to: PlaceKind | 'line' | 'command';
  /** No model answers for the owner here. */
  readonly by?: 'person';
  /** Where its place is not known, a yes holds once, not for the line. */
  readonly onlyPlaced?: true;
  /** Nobody has seen what would run, the floor neither: allowing everything in advance does not cover it. */
  readonly unseen?: true;
  /** It opens the wall: whoever allows everything in advance allows it behind the wall. */
  readonly opensWall?: true;
  /** It goes unasked in a folder that the owner trusts (`hermes trust`). */
  readonly byTrust?: true;
}

/** What the agent itself is, and where the owner's secrets lie: never routine. */
const PERSON: ClassRow = { longest: 'once', to: 'line', by: 'person' };
/** What would come of it is only known when it runs, or is different with every line. */
const LINE: ClassRow = { longest: 'session', to: 'line' };
const UNSEEN: ClassRow = { ...LINE, unseen: true };
/** What others see or use is at stake: nobody allows that for good. */
const SESSION_ACT: ClassRow = { longest: 'session', to: 'act' };
/** The same danger everywhere: a yes to one command must not be a yes to every other. */
const COMMAND: ClassRow = { longest: 'always', to: 'command' };
const always = (to: PlaceKind): ClassRow => ({ longest: 'always', to });

/** What commands in the sandbox are let at stays open until it closes. */
const OPENING = { shortest: 'session', opensWall: true } as const;

const of = (row: ClassRow, names: string): readonly (readonly [string, ClassRow])[] =>
  names.split(/\s+/).flatMap((name) => (name === '' ? [] : [[name, row] as const]));

/** Every class of danger, once, the worst first: in this order a question tells them. One that is not here is held to the line. */
const ROWS: ReadonlyMap<string, ClassRow> = new Map([
  ...of({ longest: 'always', to: 'act', by: 'person', onlyPlaced: true, opensWall: true }, 'run_outside'),
  ...of({ ...always('operand'), ...OPENING, by: 'person' }, 'wall_socket'),
  ...of({ ...always('operand'), ...OPENING }, 'wall_path'),
  ...of({ ...always('host'), ...OPENING }, 'wall_port'),
  ...of(PERSON, 'own_rules secret_spread foreign_words memory_write'),
  ...of({ longest: 'session', to: 'target', by: 'person' }, 'held_change'),
  ...of({ longest: 'session', to: 'program', by: 'person' }, 'mcp_write'),
  ...of({ ...LINE, by: 'person' }, 'git_push'),
  ...of({ ...PERSON, opensWall: true }, 'git_remote'),
  ...of(LINE, 'secret_sent guard_off git_runs_program'),
  ...of(COMMAND, 'privilege'),
  ...of(always('host'), 'data_sent'),
  ...of(always('host'), 'network_host'),
  ...of(always('operand'), 'secret_read recursive_delete delete_outside move_outside rights_outside world_writable'),
  ...of(SESSION_ACT, 'database_loss'),
  ...of({ ...SESSION_ACT, onlyPlaced: true }, 'cloud_loss'),
  ...of(SESSION_ACT, 'container_host forge published'),
  ...of({ longest: 'session', to: 'host' }, 'remote_host'),
  ...of(always('target'), 'persistence system_write secret_write overwrite_outside'),
  ...of(UNSEEN, 'unseen_command unreadable'),
  ...of(LINE, 'unknown_target carried_unknown'),
  // Code of the project can do no less.
  ...of({ ...LINE, byTrust: true }, 'interpreter_code'),
  ...of(always('act'), 'git_loss'),
  ...of({ ...always('act'), onlyPlaced: true }, 'git_history container_loss'),
  ...of(always('here'), 'own_work rewrite_all'),
  ...of(COMMAND, 'not_reading fills_disk endless_loop'),
  ...of({ ...always('project'), byTrust: true }, 'project_code'),
]);
const GRAVITY: ReadonlyMap<string, number> = new Map([...ROWS.keys()].map((name, at) => [name, at]));

/** Rules of the owner's own hooks name a like of their own. */
const isHook = (name: string): boolean => name.startsWith('hook:');

export const resolveClassRow = (name: string): ClassRow => ROWS.get(name) ?? (isHook(name) ? COMMAND : LINE);
/** Whether allowing everything in advance covers it: the floor had a look at it, and it stays behind the wall. `key` may join several classes. */
export const isCoveredInAdvance = (key = ''): boolean =>
  key
    .split('+')
    .map(resolveClassRow)
    .every(({ unseen, opensWall }) => unseen !== true && opensWall !== true);
/** Sorts the worse of two classes before the other. */
export const compareDangers = (one: string, other: string): number =>
  (GRAVITY.get(one) ?? GRAVITY.size) - (GRAVITY.get(other) ?? GRAVITY.size);
export const listDangerClasses = (): readonly string[] => [...ROWS.keys()];
