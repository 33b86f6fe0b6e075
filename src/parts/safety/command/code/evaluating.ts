import { isUnknown } from '../values/marks.ts';
import type { Act } from './acts.ts';
import { valueOf } from './values.ts';

/** A danger of its own, whatever it is called with. */
export const danger =
  (key: string, reason: string): Act =>
  () => [{ type: 'danger', key, reason }];
export const hidden: Act = (call) => {
  const literal = call.args[0]?.length === 1 && call.args[0][0]?.type === 'text';
  if (literal || call.args.length === 0) return [];
  return call.mentions(
    /b64decode|fromhex|unhexlify|atob|decompress|marshal|codecs|unpack|base64|\bchr\b|fromCharCode|rot13|urlopen|requests|fetch|http/,
  )
    ? [{ type: 'danger', key: 'hidden_code', reason: 'it runs code that is packed or fetched first', faint: true }]
    : [];
};
/** Code that is run as it comes: what it says must be told by the code that runs it. */
export const evaluates: Act = (call) => {
  const own =
    /^(?:eval|exec|Function|instance_eval|class_eval|create_function|globalThis\.eval|window\.eval|builtins\.(?:eval|exec)|(?:vm\.)?runIn\w+)$/;
  // The same word on something else is another function: a pattern's search, a statement's run.
  if (!own.test(call.name)) return [];
  const unknown = call.args.length > 0 && isUnknown(call.args.map((each) => valueOf(each, call.names)).join(''));
  return unknown ? danger('hidden_code', 'it runs code that is only known when it runs')(call) : hidden(call);
};
/** Modules whose name is put together first. */
export const loads: Act = (call) => {
  const [name] = call.args;
  // Below a folder that is named it is a part of the project, or of what the project has installed.
  const value = name === undefined ? '' : valueOf(name, call.names);
  return !isUnknown(value) || /^(?:\.{0,2}\/)?[\w@][\w@./-]*\/\uE000/.test(value)
    ? hidden(call)
    : danger('loaded_code', 'it loads code that is only known when it runs')(call);
};
