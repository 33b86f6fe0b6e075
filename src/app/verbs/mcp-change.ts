import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { homeAt, type Home } from '../../base/home.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { withoutShapes } from '../../parts/safety/secrets/shapes.ts';
import type { JsonFlag, McpAddFlags } from '../../faces/cli/verbs.ts';
import { wrap } from '../../faces/cli/wrap.ts';
import { fileNameFor } from '../../parts/mcp/names.ts';
import { readServers } from '../../parts/mcp/servers.ts';
import { tokenPath } from '../../parts/mcp/token-file.ts';
import { readIfThere } from '../../parts/config/config.ts';
import { withoutVariable, withVariable } from '../../parts/config/env-file.ts';
import { referencesIn } from '../../parts/config/expand-variables.ts';
import { mcpFolders } from '../host/mcp.ts';
import { openMcpDesk, serverNames, unknownServer } from '../mcp-desk.ts';
import { entryFor, variablePrefix } from '../../parts/mcp/entry.ts';
import { processScreen } from '../screen.ts';
import { makeHome } from '../host/store.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { withSetting } from '../../parts/config/yaml-edit.ts';

export const add = (name: string, args: readonly string[], flags: McpAddFlags): Promise<number> =>
  alone(async () => {
    const desk = await openMcpDesk();
    const { home, env } = desk;
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name))
      throw new UsageError(`${JSON.stringify(name)} is no name for a server: letters, digits, - and _, at most 40 of them.`);
    if (serverNames(desk).includes(name))
      throw new UsageError(`there is a server ${name} already; hermes mcp remove ${name} takes it away.`);
    const { entry, variables } = entryFor({ name, args, flags, findKeys: withoutShapes, env });
    const wrong = readServers({ [name]: entry }).problems[0];
    if (wrong !== undefined) throw new UsageError(`${wrong.words}. Nothing was changed.`);
    if (variables.length > 0) {
      const text = variables.reduce((rest, [variable, value]) => withVariable(rest, variable, value), readIfThere(home.env) ?? '');
      writeWhole(home.env, text, 0o600);
    }
    writeWhole(home.config, withSetting(readIfThere(home.config) ?? '', `mcp_servers.${name}`, entry));
    const kept = variables.map(([variable]) => variable);
    return answer(flags, { name, file: home.config, variables: kept }, [
      `Added ${name} to ${home.config}.`,
      ...(kept.length === 0 ? [] : [`Its secrets are in ${home.env}, which only you can read: ${kept.join(', ')}.`]),
      `Try it: hermes mcp test ${name}`,
    ]);
  });

export const remove = (name: string, flags: JsonFlag): Promise<number> =>
  alone(async () => {
    const desk = await openMcpDesk();
    const { home } = desk;
    if (!serverNames(desk).includes(name)) throw unknownServer(name, serverNames(desk));
    const { text, entry } = await withoutServer(readIfThere(home.config) ?? '', name);
    writeWhole(home.config, text);
    const hadLogin = forget(name, home);
    const { removed, left } = clearVariables(name, referencesIn(entry), referencesIn(text), home);
    const login = hadLogin ? ', and its login' : '';
    return answer(flags, { name, file: home.config, login: hadLogin, variablesRemoved: removed, variablesLeft: left }, [
      `Removed ${name} from ${home.config}${login}. Running sessions keep it until they end.`,
      ...(removed.length === 0 ? [] : [`Its secrets are taken out of ${home.env}: ${removed.join(', ')}.`]),
      ...(left.length === 0 ? [] : [`Left in ${home.env}, because they may serve something else: ${left.join(', ')}.`]),
    ]);
  });

/** Reading, changing and writing belong together: another command may do the same just now. */
function alone(work: () => Promise<number>): Promise<number> {
  const home = homeAt(process.env);
  makeHome(home);
  return withFileLock(home.config, work);
}

/** What was learnt of a server, and its login; gives whether there was one. */
function forget(name: string, home: Home): boolean {
  const { cache, tokens } = mcpFolders(home);
  rmSync(join(cache, fileNameFor(name)), { force: true });
  const login = tokenPath(tokens, name);
  const had = existsSync(login);
  rmSync(login, { force: true });
  return had;
}

/** Takes the variables `add` made out of `.env`; those of the owner's own, and those the settings still name, stay. */
function clearVariables(server: string, named: readonly string[], needed: readonly string[], home: Home) {
  const text = readIfThere(home.env) ?? '';
  const held = Object.keys(parseEnv(text));
  const there = named.filter((variable) => held.includes(variable));
  const removed = there.filter((variable) => variable.startsWith(variablePrefix(server)) && !needed.includes(variable));
  if (removed.length > 0) writeWhole(home.env, removed.reduce(withoutVariable, text), 0o600);
  return { removed, left: there.filter((variable) => !removed.includes(variable)) };
}

/** The settings without one server, and its entry as it was written; the section goes with its last. Everything else stays. */
async function withoutServer(text: string, name: string): Promise<{ readonly text: string; readonly entry: string }> {
  const { isMap, parseDocument } = await import('yaml');
  const document = parseDocument(text, { keepSourceTokens: false });
  const entry = JSON.stringify(document.getIn(['mcp_servers', name]) ?? '');
  document.deleteIn(['mcp_servers', name]);
  const rest = document.get('mcp_servers');
  if (isMap(rest) && rest.items.length === 0) document.delete('mcp_servers');
  const empty = isMap(document.contents) && document.contents.items.length === 0 && document.commentBefore == null;
  return { entry, text: empty ? '' : document.toString({ lineWidth: 0, flowCollectionPadding: false }) };
}

function answer(flags: JsonFlag, value: JsonObject, lines: readonly string[]): number {
  const screen = processScreen();
  if (flags.json === true) screen.json(value);
  else screen.out(`${lines.flatMap((line) => wrap(line, screen.columns)).join('\n')}\n`);
  return 0;
}
