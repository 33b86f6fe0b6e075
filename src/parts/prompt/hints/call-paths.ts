import type { Json, JsonObject } from '../../../contracts/message.ts';
import { expand, type ExpandOptions } from './expand.ts';
import { HINT_LIMITS, PATH_ARGUMENTS, PLACE_ARGUMENTS } from './tables.ts';

/** The absolute paths a tool call was about, whichever tool it was. Reading lines is loaded with the first command. */
export async function collectCallPaths(
  input: JsonObject,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<readonly string[]> {
  const start: ExpandOptions = { cwd, home };
  const placed = strings(PLACE_ARGUMENTS.map((name) => input[name])).map((place) => expand(place, start));
  const here: ExpandOptions = { home, cwd: placed.find((place) => place !== undefined) ?? cwd };
  const named = [
    ...strings(PATH_ARGUMENTS.map((name) => input[name])),
    ...strings(input['paths']),
    ...strings([input['patch']]).flatMap(patched),
  ];
  const paths = [...named.map((path) => expand(path, start)), ...(await commandPaths(input['command'], here))];
  return [...new Set(paths)].filter((path) => path !== undefined).slice(0, HINT_LIMITS.paths);
}

/** A command works where it runs, whatever it names. */
async function commandPaths(command: Json | undefined, here: ExpandOptions): Promise<readonly (string | undefined)[]> {
  if (typeof command !== 'string' || command.trim() === '') return [];
  const { collectShellPaths } = await import('./shell-paths.ts');
  return [here.cwd, ...collectShellPaths(command, here)];
}

const strings = (value: Json | undefined | readonly (Json | undefined)[]): readonly string[] =>
  Array.isArray(value)
    ? value
        .filter((item) => typeof item === 'string')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : [];

/** The files a V4A patch names. */
const patched = (patch: string): readonly string[] =>
  [...patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete|Move) File|Move to):(?<paths>.*)$/gm)].flatMap(({ groups }) =>
    (groups?.['paths'] ?? '').split(/\s+->\s+/).map((path) => path.trim()),
  );
