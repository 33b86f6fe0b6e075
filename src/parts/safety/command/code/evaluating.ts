import { isUnknown, MARK } from '../values/marks.ts';
import type { NestedAction } from '../call/handed.ts';
import type { CodeAct, CodeCall } from './code-call.ts';
import { evaluateExpression } from './values.ts';

/** Code out of a file or from elsewhere: neither the floor nor the owner's list could look at it. */
export const UNSEEN: readonly NestedAction[] = [
  {
    type: 'danger',
    key: 'unseen_command',
    reason: 'the code it runs comes out of a file, a program or the network, and nobody has seen it',
  },
];
/** A danger of its own, whatever it is called with. */
export const flagDanger =
  (key: string, reason: string): CodeAct =>
  () => [{ type: 'danger', key, reason }];
export const findHiddenCode: CodeAct = (call) => {
  const literal = call.args[0]?.length === 1 && call.args[0][0]?.type === 'text';
  if (literal || call.args.length === 0) return [];
  return call.mentions(
    /b64decode|fromhex|unhexlify|atob|decompress|marshal|codecs|unpack|base64|\bchr\b|fromCharCode|rot13|urlopen|requests|fetch|http/,
  )
    ? [{ type: 'danger', key: 'hidden_code', reason: 'it runs code that is packed or fetched first', faint: true }]
    : [];
};
/** Code that is run as it comes: what it says must be told by the code that runs it. */
export const findEvaluatedCode: CodeAct = (call) => {
  const own =
    /^(?:eval|exec|Function|instance_eval|class_eval|create_function|globalThis\.eval|window\.eval|builtins\.(?:eval|exec)|(?:vm\.)?runIn\w+)$/;
  // The same word on something else is another function: a pattern's search, a statement's run.
  if (!own.test(call.name)) return [];
  const code = call.args.map((each) => evaluateExpression(each, call.names)).join('');
  // Whatever the language, the words for acting in it are read the same way.
  if (!isUnknown(code)) return [...findHiddenCode(call), { type: 'words', words: ['python3', '-c', code] }];
  return [
    ...flagDanger('hidden_code', 'it runs code that is only known when it runs')(call),
    ...(code.includes(MARK.outside) ? UNSEEN : []),
  ];
};
/** Modules whose name is put together first. */
export const findLoadedModule: CodeAct = (call) => {
  const [name] = call.args;
  // Below a folder that is named it is a part of the project, or of what the project has installed.
  const value = name === undefined ? '' : evaluateExpression(name, call.names);
  return !isUnknown(value) || /^(?:\.{0,2}\/)?[\w@][\w@./-]*\/\uE000/.test(value)
    ? findHiddenCode(call)
    : flagDanger('loaded_code', 'it loads code that is only known when it runs')(call);
};

/** Modules whose functions act, and the names of those that do most harm. */
const ACTING = /^(?:os|posix|subprocess|shutil|builtins|__builtins__|pty|importlib|sys)$/;
const HARMFUL = /^(?:system|popen|Popen|exec\w*|spawn\w*|rmtree|unlink|remove|removedirs|eval|__import__|check_\w+|getoutput)$/;
/** `getattr(x, name)`: of a module that acts, or by a name that is put together, it may be any function. */
export function findReachedAttribute(call: CodeCall): readonly NestedAction[] {
  const [on, name] = call.args;
  const module = on?.length === 1 ? on[0]?.text : undefined;
  if (name?.length === 1 && name[0]?.type === 'text')
    return HARMFUL.test(name[0].text) ? flagDanger('hidden_code', 'it hides which function it calls')(call) : [];
  const plain = name?.length === 1 && name[0]?.type === 'name';
  // Of an object of the program's own a name put together is one of its methods.
  const foreign = module === undefined || call.mentions(new RegExp(`\\bimport\\s[^\\n]*\\b${RegExp.escape(module)}\\b`));
  const bare = name !== undefined && !plain && foreign;
  return ACTING.test(module ?? '') || bare ? flagDanger('hidden_code', 'it hides which function it calls')(call) : [];
}
