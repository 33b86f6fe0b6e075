import { basename } from 'node:path';
import { readErrorCode, toErrorMessage } from '../../base/errors.ts';

const MAX_CAUSES = 5;

/** An error of a plugin in words for its author: what Node.js does not let it do is told as the capability that it lacks. */
export function describeFailure(error: unknown): string {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (readErrorCode(cause) === 'ERR_ACCESS_DENIED') return describeDenied(cause);
    cause = cause.cause;
  }
  return toErrorMessage(error);
}

function describeDenied(error: Error): string {
  const [permission, resource] = [readText(error, 'permission'), readText(error, 'resource')];
  const missing = (key: string): string => `plugin.yaml does not list it. It needs: capabilities: { ${key} }`;
  if (permission === 'ChildProcess') return `it may not start ${resource}: ${missing('exec: true')}`;
  if (permission === 'FileSystemRead') return `it may not read ${resource}: a plugin sees its own folder and its data folder`;
  if (permission === 'FileSystemWrite') return `it may not write ${resource}: a plugin can write only to host.dataFolder`;
  const [, host] = /getaddrinfo ERR_ACCESS_DENIED (\S+)/.exec(error.message) ?? [];
  if (permission === 'Net' || host !== undefined) return `it may not reach ${host ?? resource}: ${missing(`network: [${host ?? 'HOST'}]`)}`;
  return error.message;
}

const readText = (error: Error, key: string): string => {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'string' ? value : '';
};

/** An error while the entry is loaded, with the file: a mistake in the writing has no other trace of it. */
export function describeLoadFailure(error: unknown, entry: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  // What is not valid begins with its place.
  const [, file, line] = /^(?:file:\/\/)?(\/\S+):(\d+)\n/.exec(stack) ?? [];
  if (file !== undefined) return `${describeFailure(error)} (${basename(file)}:${line})`;
  const where = error instanceof SyntaxError ? `${basename(entry)} or a file it imports cannot be read: ` : '';
  return `${where}${describeFailure(error)}`;
}
