import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from '../../base/errors.ts';
import { withFileLock } from '../../base/file-lock.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import type { AddedMcpServer, RemovedMcpServer, NewMcpServer } from '../../contracts/services/tools.ts';
import type { Env } from '../../base/env.ts';
import { withoutShapes } from '../../parts/safety/secrets/shapes.ts';
import { toServerFileName } from '../../parts/mcp/names.ts';
import { readServers } from '../../parts/mcp/servers.ts';
import { resolveTokenPath } from '../../parts/mcp/token-file.ts';
import { readIfThere } from '../../parts/config/config.ts';
import { withoutVariable, withVariable } from '../../parts/config/env-file.ts';
import { findVariableReferences } from '../../parts/config/expand-variables.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import { resolveMcpFolders } from '../host/mcp.ts';
import { openMcpSettings, listServerNames, createUnknownServerError } from './mcp-settings.ts';
import { createServerEntry, toVariablePrefix } from '../../parts/mcp/entry.ts';
import { makeHome } from '../host/store.ts';
import { writeWhole } from '../../parts/config/write-whole.ts';
import { withSetting } from '../../parts/config/yaml-edit.ts';
import { withoutEntry } from '../../parts/config/yaml-remove.ts';

export const addServer = ({ name, args, ...flags }: NewMcpServer, processEnv: Env, registered: RegistrySnapshot): Promise<AddedMcpServer> =>
  alone(processEnv, async () => {
    const configured = await openMcpSettings(processEnv, registered);
    const { home, env } = configured;
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name))
      throw new UsageError(`${JSON.stringify(name)} is not a valid server name. Use up to 40 letters, digits, - and _.`);
    if (listServerNames(configured).includes(name))
      throw new UsageError(`a server named ${name} already exists. To remove it: hermes mcp remove ${name}`);
    const { entry, variables } = createServerEntry({ name, args, flags, findKeys: withoutShapes, env });
    const wrong = readServers({ [name]: entry }).problems[0];
    if (wrong !== undefined) throw new UsageError(`${wrong.words}. Nothing was changed.`);
    if (variables.length > 0) {
      const text = variables.reduce((rest, [variable, value]) => withVariable(rest, variable, value), readIfThere(home.env) ?? '');
      writeWhole(home.env, text, 0o600);
    }
    writeWhole(home.config, withSetting(readIfThere(home.config) ?? '', `mcp_servers.${name}`, entry));
    return { name, file: home.config, variables: variables.map(([variable]) => variable), envFile: home.env };
  });

export const removeServer = (name: string, processEnv: Env, registered: RegistrySnapshot): Promise<RemovedMcpServer> =>
  alone(processEnv, async () => {
    const configured = await openMcpSettings(processEnv, registered);
    const { home } = configured;
    if (!listServerNames(configured).includes(name)) throw createUnknownServerError(name, listServerNames(configured));
    const { text, entry } = await withoutServer(readIfThere(home.config) ?? '', name);
    writeWhole(home.config, text);
    const login = forget(name, home);
    const { removed, left } = clearVariables(name, findVariableReferences(entry), findVariableReferences(text), home);
    return { name, file: home.config, login, variablesRemoved: removed, variablesLeft: left, envFile: home.env };
  });

/** Reading, changing and writing belong together: another command may do the same just now. */
function alone<Result>(processEnv: Env, work: () => Promise<Result>): Promise<Result> {
  const home = resolveHome(processEnv);
  makeHome(home);
  return withFileLock(home.config, work);
}

/** What was learnt of a server, and its login; gives whether there was one. */
function forget(name: string, home: Home): boolean {
  const { cache, tokens } = resolveMcpFolders(home);
  rmSync(join(cache, toServerFileName(name)), { force: true });
  const login = resolveTokenPath(tokens, name);
  const had = existsSync(login);
  rmSync(login, { force: true });
  return had;
}

/** Takes the variables `add` made out of `.env`; those of the owner's own, and those the settings still name, stay. */
function clearVariables(server: string, named: readonly string[], needed: readonly string[], home: Home) {
  const text = readIfThere(home.env) ?? '';
  const held = Object.keys(parseEnv(text));
  const there = named.filter((variable) => held.includes(variable));
  const removed = there.filter((variable) => variable.startsWith(toVariablePrefix(server)) && !needed.includes(variable));
  if (removed.length > 0) writeWhole(home.env, removed.reduce(withoutVariable, text), 0o600);
  return { removed, left: there.filter((variable) => !removed.includes(variable)) };
}

/** The settings without one server, and its entry as it was written; the section goes with its last. Everything else stays. */
async function withoutServer(text: string, name: string): Promise<{ readonly text: string; readonly entry: string }> {
  const { parseDocument } = await import('yaml');
  const path = ['mcp_servers', name];
  return { entry: JSON.stringify(parseDocument(text).getIn(path) ?? ''), text: withoutEntry(text, path) ?? text };
}
