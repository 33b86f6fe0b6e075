import { toCommandAction } from '../call/handed.ts';
import { isUnknown, MARK } from '../values/marks.ts';
import type { CodeAct, CodeCall } from './code-call.ts';
import { evaluateExpression } from './values.ts';

/** The folder that is gone through. */
const folderOf = ({ name, args, on, names }: CodeCall): string =>
  /rglob|glob|iterdir/.test(name) ? evaluateExpression(on, names) : evaluateExpression(args[0] ?? on, names);

/** Everything below a folder, one by one: code that deletes without a question on the way deletes the folder. */
export const findFolderWalk: CodeAct = (call) => [...walksToRead(call), ...walksToDelete(call)];
/** Whoever goes through a folder and opens what he finds takes the folder. */
const walksToRead: CodeAct = (call) => {
  const path = folderOf(call);
  const takes = call.mentions(/\bopen\s*\(|\bread\w*\s*\(|readFile|\.write\s*\(|\.add\s*\(|\bcopy\w*\s*\(/);
  return path === '' || isUnknown(path) || !takes ? [] : [toCommandAction(['cp', '-r', '--', path, '/tmp/x'])];
};
const walksToDelete: CodeAct = (call) => {
  if (!call.mentions(/\b(?:unlink|unlinkSync|remove|rmtree|rmSync|rm_rf|rm_r|delete|rmdir)\b/)) return [];
  const path = folderOf(call);
  if (path === '' || isUnknown(path)) return [];
  return call.mentions(/\b(?:if|unless|filter|grep|endswith|endsWith|suffix|match|select)\b/)
    ? [toCommandAction(['rm', '-rf', '--', `${path}/${MARK.name}`])]
    : [toCommandAction(['rm', '-rf', '--', path])];
};
