import { findRow } from '../../../../base/word-tables.ts';
import type { ShellParameter, WordPart } from '../../../../base/shell/ast.ts';
import { decodeAnsiCEscapes } from '../../../../base/shell/ansi.ts';
import type { ExpansionContext } from './expansion-context.ts';
import { toGlobSource } from './globs.ts';
import { A_NAME, uniteChoices, type Choices, hasMarks, isUnknown, MARK, UNKNOWN } from './marks.ts';

/** Numbers the shell keeps. */
const NUMBERS = new Set('# ? $ ! RANDOM SRANDOM SECONDS EPOCHSECONDS UID EUID BASHPID LINENO SHLVL COLUMNS LINES'.split(' '));
/** Names without a slash that every session has. */
const NAMES = new Set(['USER', 'LOGNAME', 'HOSTNAME', 'OSTYPE', 'HOSTTYPE', 'LANG', 'TERM', 'GITHUB_SHA', 'CI']);
/** Variables that by their name hold what opens other doors. */
const SECRET = /(?:^|_)(?:PASS(?:W(?:OR)?D|PHRASE)?|PW|SECRETS?|TOKEN|API_?KEY|PRIVATE_?KEY|ACCESS_KEY|CREDENTIALS?|KEY)(?:$|_)/i;
export const isSecretName = (name: string): boolean => SECRET.test(name);
/** Variables a session has by itself, and the words a script is called with. */
const ORDINARY =
  /^(?:[\d@*#?$!_-]|\d+|PATH|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|EDITOR|VISUAL|PAGER|TMPDIR|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|DISPLAY|WAYLAND_DISPLAY|CI|XDG_\w+|SSH_\w+|GIT_\w+|GITHUB_\w+|HERMES_\w+|NODE_\w+|NPM_\w+|NVM_\w+|PYTHON\w*|VIRTUAL_ENV|CONDA_\w+|PYENV_\w+|GO\w+|CARGO_\w+|RUST\w*|JAVA_HOME|ANDROID_\w+|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKE\w*|PORT|HOST|BASH\w*|FUNCNAME|PIPESTATUS|REPLY|OPTARG|OPTIND|IFS|PS\d)$/;
/** Variables that hold what they are for, so that a default beside them is as good as their value. */
const USUAL = /^(?:TMPDIR|XDG_\w+|EDITOR|VISUAL|PAGER|CC|CXX|MAKE|PYTHON3?|NODE|SHELL|PORT|HOST)$/;

type TextOf = (parts: readonly WordPart[], known: ExpansionContext) => readonly string[];

/** The values `${…}` may have. */
export function expandParameter(parameter: ShellParameter, known: ExpansionContext, textOf: TextOf): Choices {
  const operand = parameter.operand.length === 0 ? [''] : textOf(parameter.operand, known);
  // `${!x[@]}` are the keys of an array.
  if (parameter.length || (parameter.indirect && /^[@*]$/.test(parameter.index ?? ''))) return A_NAME;
  const set = parameter.indirect ? indirectly(parameter.name, known) : known.valueOf(parameter.name);
  const own = indexed(set ?? builtIn(parameter.name, known), parameter.index);
  return uniteChoices((findRow(OPERATORS, parameter.operator) ?? unchanged)({ parameter, set: set !== undefined, own, operand, known }));
}

function builtIn(name: string, { lost }: ExpansionContext): Choices {
  if (NUMBERS.has(name) || NAMES.has(name)) return A_NAME;
  // The parent of the shell is the agent itself: as much a process of the system as the first.
  if (name === 'PPID') return [['1']];
  if (SECRET.test(name)) return [[MARK.unknown + MARK.secret]];
  if (lost && !ORDINARY.test(name)) return [[MARK.unknown + MARK.carried]];
  return name === '0' || name === 'BASH' || name === 'SHELL' ? [['/bin/bash']] : UNKNOWN;
}

function indirectly(name: string, known: ExpansionContext): Choices | undefined {
  const names = known.valueOf(name);
  if (names === undefined) return undefined;
  return uniteChoices(
    ...names.map(([named = '']) => (isUnknown(named) ? [[MARK.unknown + MARK.secret]] : (known.valueOf(named) ?? builtIn(named, known)))),
  );
}

function indexed(value: Choices, index: string | undefined): Choices {
  if (index === undefined || index === '@' || index === '*') return value;
  return value.map((fields) => (/^\d+$/.test(index) ? [fields[Number(index)] ?? ''] : fields.length === 1 ? fields : [MARK.unknown]));
}

interface ParameterExpansion {
  readonly parameter: ShellParameter;
  readonly set: boolean;
  readonly own: Choices;
  readonly operand: readonly string[];
  readonly known: ExpansionContext;
}

const lists = (texts: readonly string[]): Choices => texts.map((text) => [text]);
const unchanged = ({ own }: ParameterExpansion): Choices => own;
const isEmpty = (fields: readonly string[]): boolean => fields.join('') === '';

function orElse({ parameter, set, own, operand }: ParameterExpansion): Choices {
  // A default says what is meant when nobody has said anything else.
  if (!set)
    return USUAL.test(parameter.name) ||
      (!isEmpty(operand) && ![...operand, ...own.flat()].some((text) => text.includes(MARK.secret)) && !operand.some(isUnknown))
      ? lists(operand)
      : [...lists(operand), ...own];
  return own.flatMap((fields) => (isEmpty(fields) || fields.some(isUnknown) ? [...lists(operand), fields] : [fields]));
}

const OPERATORS: Readonly<Record<string, (expansion: ParameterExpansion) => Choices>> = {
  ':-': orElse,
  '-': orElse,
  ':=': assigned,
  '=': assigned,
  ':+': ({ operand }) => [...lists(operand), ['']],
  '+': ({ operand }) => [...lists(operand), ['']],
  '#': cut((pattern) => `^${pattern}`, false),
  '##': cut((pattern) => `^${pattern}`, true),
  '%': cut((pattern) => `${pattern}$`, false),
  '%%': cut((pattern) => `${pattern}$`, true),
  '/': replaced((pattern) => pattern, ''),
  '//': replaced((pattern) => pattern, 'g'),
  '/#': replaced((pattern) => `^${pattern}`, ''),
  '/%': replaced((pattern) => `${pattern}$`, ''),
  ':': each((text, operand) => {
    const [, from = '', length] = /^\s*\(?(-?\d+)\)?\s*(?::\s*(-?\d+)\s*)?$/.exec(operand) ?? [];
    if (from === '') return MARK.unknown;
    const start = Number(from) < 0 ? Math.max(0, text.length + Number(from)) : Number(from);
    const end = length === undefined ? text.length : Number(length) < 0 ? text.length + Number(length) : start + Number(length);
    return text.slice(start, end);
  }),
  '^': each((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  '^^': each((text) => text.toUpperCase()),
  ',': each((text) => text.slice(0, 1).toLowerCase() + text.slice(1)),
  ',,': each((text) => text.toLowerCase()),
  '@E': each((text) => decodeAnsiCEscapes(text)),
  '@P': ({ known }) => {
    known.prompts();
    return UNKNOWN;
  },
  '*': () => UNKNOWN,
};

function assigned(expansion: ParameterExpansion): Choices {
  const value = orElse(expansion);
  expansion.known.assign(expansion.parameter.name, value);
  return value;
}

/** What is told about a value besides that it is not known. */
const tagsOf = (text: string): string => [MARK.secret, MARK.carried, MARK.outside].filter((mark) => text.includes(mark)).join('');

/** A change of the text that is only followed when the text is known. */
function each(change: (text: string, operand: string) => string): (expansion: ParameterExpansion) => Choices {
  return ({ own, operand }) =>
    own.flatMap((fields) =>
      operand.map((second) => fields.map((text) => (isUnknown(text + second) ? MARK.unknown + tagsOf(text) : change(text, second)))),
    );
}

function cut(place: (pattern: string) => string, greedy: boolean): (expansion: ParameterExpansion) => Choices {
  return each((text, operand) => {
    const source = toGlobSource(operand, greedy);
    if (source === undefined) return hasMarks(text) ? MARK.unknown : text;
    // The shortest end of a text is found by letting what stands before it take all it can.
    if (!greedy && place('x') === 'x$') return text.replace(new RegExp(`^([^]*)${source}$`, 'u'), '$1');
    return text.replace(new RegExp(place(source), 'u'), '');
  });
}

function replaced(place: (pattern: string) => string, flags: string): (expansion: ParameterExpansion) => Choices {
  return each((text, operand) => {
    const slash = operand.indexOf('/', 1);
    const [from, to] = slash < 0 ? [operand, ''] : [operand.slice(0, slash), operand.slice(slash + 1)];
    const source = from === '' ? undefined : toGlobSource(from, true);
    return source === undefined ? MARK.unknown : text.replace(new RegExp(place(source), `${flags}u`), () => to);
  });
}
