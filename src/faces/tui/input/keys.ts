import { describeUnknownName } from '../../../base/unknown-name.ts';
import { canonicalKey, readKey, showKey } from './key-names.ts';
import { ACTIONS, type ActionName, type KeyAction, type KeyCondition } from './actions.ts';

/** One or two keys in a row: `ctrl+x ctrl+e`. */
function canonicalChord(name: string): string | undefined {
  const keys = name.trim().split(/\s+/).map(canonicalKey);
  return keys.length > 2 || keys.includes(undefined) ? undefined : keys.join(' ');
}

/** A letter or another sign that somebody types. */
const isTyped = (chord: string): boolean => /^(?:shift\+)?(?:[!-~]|space)$/.test(chord);

export interface ExtensionBinding {
  readonly key: string;
  readonly owner: string;
  readonly run: () => void;
}
export interface KeyTableOptions {
  /** `display.keys`: keys by the name of an action, in place of ours; an empty list takes them away. */
  readonly overrides?: Readonly<Record<string, string | readonly string[]>>;
  readonly extensions?: readonly ExtensionBinding[];
}
export interface KeyTable {
  readonly actions: readonly KeyAction[];
  /** What a key or a chord does, in the order in which it is tried. */
  find(chord: string): readonly KeyAction[];
  findExtension(chord: string): ExtensionBinding | undefined;
  /** Whether a chord begins with this key. */
  isPrefix(key: string): boolean;
  /** The keys of an action, to show: `Ctrl+G`. */
  keysOf(action: ActionName): readonly string[];
  /** What could not be taken, in words for the owner. */
  readonly problems: readonly string[];
}

/** The keys that hold: ours, changed by the settings, and those of extensions that are still free. */
export function resolveKeys({ overrides = {}, extensions = [] }: KeyTableOptions = {}): KeyTable {
  const problems: string[] = [];
  const known = new Set<string>(ACTIONS.map(({ name }) => name));
  for (const name of Object.keys(overrides))
    if (!known.has(name)) problems.push(`display.keys: ${describeUnknownName('action', name, [...known], 'Nothing was bound for it.')}`);
  const actions = withoutConflicts(
    ACTIONS.map((action) => rebind(action, overrides[action.name], problems)),
    (action) => overrides[action.name] !== undefined,
    problems,
  );
  const byChord = new Map<string, KeyAction[]>();
  for (const action of actions) for (const chord of action.keys) byChord.set(chord, [...(byChord.get(chord) ?? []), action]);
  const added = new Map<string, ExtensionBinding>();
  for (const binding of extensions) addExtension(binding, byChord, added, problems);
  return {
    actions,
    find: (chord) => byChord.get(chord) ?? [],
    findExtension: (chord) => added.get(chord),
    isPrefix: (key) => [...byChord.keys(), ...added.keys()].some((chord) => chord.startsWith(`${key} `)),
    keysOf: (name) => (actions.find((action) => action.name === name)?.keys ?? []).map(showKey),
    problems,
  };
}

/** A key does one thing under one condition. What the owner chose counts before what is there from the start. */
function withoutConflicts(actions: readonly KeyAction[], isChosen: (action: KeyAction) => boolean, problems: string[]): KeyAction[] {
  const owners = new Map<string, ActionName>();
  for (const { name, keys, when = '' } of [...actions.filter(isChosen), ...actions.filter((action) => !isChosen(action))])
    for (const chord of keys) {
      const owner = owners.get(`${chord} ${when}`);
      if (owner === undefined) owners.set(`${chord} ${when}`, name);
      else problems.push(describeConflict(chord, `the action ${owner}`, `the action ${name}`));
    }
  return actions.map((action) => ({
    ...action,
    keys: action.keys.filter((chord) => owners.get(`${chord} ${action.when ?? ''}`) === action.name),
  }));
}

const describeConflict = (chord: string, owner: string, other: string): string =>
  `The key ${showKey(chord)} belongs to ${owner}; ${other} does not get it.`;

function rebind(action: KeyAction, wanted: string | readonly string[] | undefined, problems: string[]): KeyAction {
  if (wanted === undefined) return action;
  const keys = (typeof wanted === 'string' ? [wanted] : wanted).flatMap((name) => {
    const chord = canonicalChord(name);
    if (chord !== undefined && !isTyped(chord)) return [chord];
    const why = chord === undefined ? 'is not the name of a key' : 'is needed to type';
    problems.push(`display.keys.${action.name}: "${name}" ${why}. Write it such as "ctrl+k", "alt+x" or "f2".`);
    return [];
  });
  return { ...action, keys };
}

function addExtension(
  binding: ExtensionBinding,
  ours: ReadonlyMap<string, readonly KeyAction[]>,
  added: Map<string, ExtensionBinding>,
  problems: string[],
): void {
  const chord = canonicalChord(binding.key);
  if (chord === undefined || isTyped(chord))
    return void problems.push(`The key "${binding.key}" of the extension ${binding.owner} cannot be used. Choose one such as "f2".`);
  const action = ours.get(chord)?.[0];
  const other = added.get(chord);
  const owner = action === undefined ? other && `the extension ${other.owner}` : `the action ${action.name}`;
  if (owner === undefined) added.set(chord, binding);
  else problems.push(describeConflict(chord, owner, `the extension ${binding.owner}`));
}

/** What a face does for an action. `false` means that it does not apply now: the key goes on to whoever is next. */
export type ActionHandlers = Readonly<Partial<Record<ActionName, () => boolean | void>>>;
export interface KeyRouterDeps {
  readonly table: KeyTable;
  /** An open question. It has every key but those that are always ours. */
  readonly dialog: () => KeyTarget | undefined;
  /** A picker or the viewer. */
  readonly overlay: () => KeyTarget | undefined;
  readonly actions: ActionHandlers;
  /** Whether a condition of an action holds now. */
  readonly holds: (when: KeyCondition) => boolean;
  readonly editor: KeyTarget;
  readonly now: () => number;
  /** An extension's key failed. */
  readonly onFailure: (owner: string, error: unknown) => void;
}
interface KeyTarget {
  handleKey(data: string): void;
}

/** So long the second key of a chord may take. */
const MAX_CHORD_MS = 1_000;

/** Gives each key to who has it: a question, then a picker or the viewer, then our actions, extensions, and the editor. */
export function createKeyRouter(deps: KeyRouterDeps): KeyTarget {
  const { table, actions, holds, editor, now } = deps;
  let begun: { readonly key: string; readonly at: number } | undefined;
  const run = (chord: string, scope?: 'always'): boolean =>
    table
      .find(chord)
      .some(
        (action) =>
          (scope === undefined || action.scope === scope) &&
          action.scope !== 'editor' &&
          (action.when === undefined || holds(action.when)) &&
          actions[action.name] !== undefined &&
          actions[action.name]?.() !== false,
      );
  const runExtension = (chord: string): boolean => {
    const binding = table.findExtension(chord);
    if (binding === undefined) return false;
    try {
      binding.run();
    } catch (error) {
      deps.onFailure(binding.owner, error);
    }
    return true;
  };
  const handle = (chord: string): boolean => run(chord) || runExtension(chord);
  return {
    handleKey: (data) => {
      const key = readKey(data);
      if (key !== undefined && run(key, 'always')) return;
      const target = deps.dialog() ?? deps.overlay();
      if (target !== undefined) {
        begun = undefined;
        return target.handleKey(data);
      }
      if (key === undefined) return editor.handleKey(data);
      const first = begun !== undefined && now() - begun.at <= MAX_CHORD_MS ? begun.key : undefined;
      begun = undefined;
      if (first !== undefined && handle(`${first} ${key}`)) return;
      // A key that did something by itself begins no chord: Enter behind the Esc that stopped a turn sends.
      if (handle(key)) return;
      if (table.isPrefix(key)) begun = { key, at: now() };
      editor.handleKey(data);
    },
  };
}
