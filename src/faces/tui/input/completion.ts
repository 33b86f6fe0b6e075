import type { CommandCompletion } from '../../../contracts/command.ts';
import type { Widget } from '../contract.ts';
import { rank } from './fuzzy.ts';
import { drawMenu } from './menu.ts';
import { quotePath, REFERENCE_KINDS } from './references.ts';

/**
 * What the text being typed may become. Everything is looked for beside the keys: a key never waits, and what was looked for
 * an earlier text is thrown away.
 */
export interface Completer {
  /** The text or the cursor has changed. */
  update(input: CompletionInput): void;
  /** Looks for paths too, where only a word stands: Tab. Gives whether there is anything to look for. */
  lookForPath(input: CompletionInput): boolean;
  readonly isOpen: boolean;
  move(by: 1 | -1): void;
  /** The one that is selected; closes the menu. */
  accept(): CompletionChoice | undefined;
  /** The same, but only if somebody moved to it. */
  acceptChosen(): CompletionChoice | undefined;
  close(): void;
  /** The rest of an earlier message that began like this one. */
  ghost(): string;
  readonly menu: Widget;
}
export interface CompletionInput {
  /** The line of the cursor up to it. */
  readonly text: string;
  readonly firstLine: boolean;
  /** Nothing stands behind the cursor. */
  readonly atEnd: boolean;
}
export interface CompletionChoice {
  readonly label: string;
  readonly summary: string;
  /** So many characters before the cursor give way to the text. */
  readonly replace: number;
  readonly text: string;
}
export interface CompletionSources {
  commands(line: string): Promise<readonly CommandCompletion[]>;
  /** Values for what stands behind a command, by its name: models for `model`. */
  readonly values?: Readonly<Record<string, (signal: AbortSignal) => Promise<readonly string[]>>>;
  files(signal: AbortSignal): Promise<readonly string[]>;
  history(): readonly string[];
  /** A label as it may be seen. */
  redact?(text: string): string;
  onChange(): void;
}

const MAX_CHOICES = 50;
/** Shorter beginnings fit too much. */
const LEAST_GHOST = 2;

export function createCompleter(sources: CompletionSources): Completer {
  let choices: readonly CompletionChoice[] = [];
  let [selected, chosen] = [0, false];
  let ghost = '';
  let looking = new AbortController();
  const show = (found: readonly CompletionChoice[]): void => {
    if (found.length === 0 && choices.length === 0) return;
    choices = found.map((choice) => ({ ...choice, label: sources.redact?.(choice.label) ?? choice.label }));
    [selected, chosen] = [0, false];
    sources.onChange();
  };
  const look = (find: (signal: AbortSignal) => Promise<readonly CompletionChoice[]>): void => {
    looking.abort();
    looking = new AbortController();
    const { signal } = looking;
    // A source that fails has nothing to offer.
    void find(signal)
      .catch(() => [])
      .then((found) => (signal.aborted ? undefined : show(found)));
  };
  const close = (): void => {
    looking.abort();
    show([]);
  };
  const accept = (): CompletionChoice | undefined => {
    const choice = choices[selected];
    close();
    return choice;
  };
  return {
    get isOpen() {
      return choices.length > 0;
    },
    update: (input) => {
      ghost = findGhost(input, sources.history());
      const find = findersFor(input, sources);
      if (find === undefined) close();
      else look(find);
    },
    lookForPath: ({ text }) => {
      const word = /[^\s"'`]*$/.exec(text)?.[0] ?? '';
      if (word === '') return false;
      const lead = HERE.exec(word)?.[0] ?? '';
      look(async (signal) =>
        (await findFiles(word, sources, signal)).map((path) => toChoice(path, '', word.length, quotePath(lead + path))),
      );
      return true;
    },
    move: (by) => {
      selected = (selected + by + choices.length) % Math.max(1, choices.length);
      chosen = true;
      sources.onChange();
    },
    accept,
    acceptChosen: () => (chosen ? accept() : undefined),
    close,
    ghost: () => ghost,
    menu: { render: (context) => drawMenu(choices, selected, context) },
  };
}

const toChoice = (label: string, summary: string, replace: number, text: string): CompletionChoice => ({ label, summary, replace, text });

function findGhost({ text, firstLine, atEnd }: CompletionInput, history: readonly string[]): string {
  if (!firstLine || !atEnd || text.trim().length < LEAST_GHOST) return '';
  const earlier = history.findLast((entry) => entry.length > text.length && entry.startsWith(text));
  return earlier?.slice(text.length) ?? '';
}

type Find = (signal: AbortSignal) => Promise<readonly CompletionChoice[]>;

/** What may stand at the cursor, by what stands before it. */
function findersFor(input: CompletionInput, sources: CompletionSources): Find | undefined {
  const { text, firstLine } = input;
  const token = /(?:^|[\s([{])@((?:"[^"]*)|[^\s"]*)$/.exec(text)?.[1];
  if (token !== undefined) return (signal) => findReferences(token, sources, signal);
  if (!firstLine || !text.startsWith('/')) return undefined;
  const [, name = '', value = ''] = /^\/(\S+)\s+(\S*)$/.exec(text) ?? [];
  const values = sources.values?.[name];
  if (values !== undefined) return (signal) => findValues(value, values, signal);
  return async () =>
    (await sources.commands(text)).slice(0, MAX_CHOICES).map(({ line, summary }) => toChoice(line.trim(), summary, text.length, line));
}

async function findValues(
  typed: string,
  values: (signal: AbortSignal) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly CompletionChoice[]> {
  const found = await rank(typed, await values(signal), { textOf: (value) => value, most: MAX_CHOICES, signal });
  return found.filter((value) => value !== typed).map((value) => toChoice(value, '', typed.length, value));
}

/** Behind `@`: kinds of references first, then files; behind `@folder:`, folders. */
async function findReferences(token: string, sources: CompletionSources, signal: AbortSignal): Promise<readonly CompletionChoice[]> {
  const [, kind, rest = token] = /^(file|folder|url|git):(.*)$/.exec(token) ?? [];
  if (kind === 'url' || kind === 'git') return [];
  const typed = rest.replace(/^"/, '');
  const replace = token.length + 1;
  const kinds = kind === undefined ? REFERENCE_KINDS.filter(({ text }) => text.startsWith(`@${token}`)) : [];
  const paths = kind === 'folder' ? await findFolders(typed, sources, signal) : await findFiles(typed, sources, signal);
  const prefix = kind === undefined ? '@file:' : `@${kind}:`;
  return [
    ...kinds.map(({ text, summary }) => toChoice(text, summary, replace, text.endsWith(':') ? text : `${text} `)),
    ...paths.map((path) => toChoice(path, '', replace, `${prefix}${quotePath(path)} `)),
  ];
}

/** A name with a control character or a quote in it cannot be written as a reference. */
const isWritable = (path: string): boolean => !/[\p{Cc}"]/u.test(path);

/** The folder one is in anyway: files are named without it. */
const HERE = /^(?:\.\/)+/;

const findFiles = async (typed: string, { files }: CompletionSources, signal: AbortSignal): Promise<string[]> =>
  rank(typed.replace(HERE, ''), (await files(signal)).filter(isWritable), { textOf: (path) => path, most: MAX_CHOICES, signal });

async function findFolders(typed: string, { files }: CompletionSources, signal: AbortSignal): Promise<string[]> {
  const folders = new Set((await files(signal)).filter(isWritable).flatMap(listParents));
  return rank(typed.replace(HERE, ''), [...folders], { textOf: (path) => path, most: MAX_CHOICES, signal });
}
const listParents = (path: string): string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};
