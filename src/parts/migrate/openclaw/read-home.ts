import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { parseJson, readStringAt } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { MigrationItem } from '../../../contracts/services/migration.ts';
import { createHomeReader, listFiles, listFolders, listSkillFolders, type HomeReader } from '../foreign/files.ts';
import type { ForeignHome, ForeignMemory, ForeignSkill, ForeignText } from '../foreign/foreign-home.ts';
import { openForeignDatabase, type ForeignDatabase } from '../foreign/open-database.ts';
import { listAgents, readOpenClawConfig, type OpenClawAgent } from './config.ts';
import { AGENT_STORE, hasAgentStore, readAgentSessions } from './sessions.ts';
import { translateSettings } from './settings.ts';
import { splitMemory } from './split-memory.ts';

const STATE = join('state', 'openclaw.sqlite');

export const isOpenClawHome = (folder: string): boolean =>
  ['openclaw.json', STATE].some((name) => existsSync(join(folder, name))) ||
  listFolders(join(folder, 'agents')).some((id) => hasAgentStore(join(folder, 'agents', id)));

export interface OpenClawOptions {
  /** The variable that holds the key of a provider we know; `undefined` for another. */
  readonly variableOf: (provider: string) => string | undefined;
}

/** The home of OpenClaw, since 2026.6 with its databases, before with files. */
export async function readOpenClawHome(folder: string, { variableOf }: OpenClawOptions): Promise<ForeignHome> {
  const opened = new DisposableStack();
  try {
    const reader = createHomeReader(folder);
    const config = (await readOpenClawConfig(reader)) ?? {};
    const open = (kind: MigrationItem['kind'], name: string) =>
      existsSync(join(folder, name)) ? reader.attempt(kind, name, () => opened.use(openForeignDatabase(join(folder, name)))) : undefined;
    const state = open('cron', STATE);
    const translated = translateSettings(config, variableOf);
    const [main, ...others] = listAgents(folder, config);
    const texts = readWorkspace(reader, main?.workspace, state);
    return {
      source: 'openclaw',
      program: 'OpenClaw',
      folder,
      settings: { values: translated.values },
      variables: new Map([
        ...Object.entries(parseEnv(reader.read('secrets', '.env')?.text ?? '')).map(([name, value]) => [name, value ?? ''] as const),
        ...translated.variables,
      ]),
      ...texts,
      skills: readSkills(folder, main?.workspace),
      cron: reader.attempt('cron', STATE, () => readJobs(reader, state)) ?? [],
      sessions: [main, ...others].flatMap((agent) =>
        agent === undefined ? [] : readAgentSessions(agent.id, open('sessions', join('agents', agent.id, AGENT_STORE)), reader),
      ),
      left: [...translated.left, ...texts.left, ...others.flatMap(describeOther), ...listLeftovers(folder), ...reader.unread()],
      [Symbol.dispose]: () => opened.dispose(),
    };
  } catch (error) {
    opened.dispose();
    throw error;
  }
}

const describeOther = ({ id, workspace }: OpenClawAgent): MigrationItem[] =>
  workspace === undefined
    ? []
    : [
        {
          kind: 'files',
          name: `agent ${id}`,
          state: 'left',
          why: `its sessions are taken; its files stay in ${workspace}, because a home here has one SOUL.md and one memory`,
        },
      ];

/** What else people keep there. */
const UNUSED: Readonly<Record<string, string>> = {
  credentials: 'sign-ins of the other program work only there',
  extensions: 'programs written for OpenClaw do not run here',
  hooks: 'programs written for OpenClaw do not run here',
};
const listLeftovers = (folder: string): MigrationItem[] =>
  Object.entries(UNUSED).flatMap(([name, why]): MigrationItem[] =>
    existsSync(join(folder, name)) ? [{ kind: 'files', name, state: 'left', why }] : [],
  );

const KINDS: Readonly<Record<string, MigrationItem['kind']>> = { 'SOUL.md': 'soul', 'MEMORY.md': 'memories', 'USER.md': 'memories' };

/** Files of a workspace that have a meaning of their own there. */
const FILES = ['AGENTS.md', 'IDENTITY.md', 'TOOLS.md', 'HEARTBEAT.md', 'BOOT.md'] as const;

function readWorkspace({ folder, attempt }: HomeReader, workspace: string | undefined, state: ForeignDatabase | undefined) {
  if (workspace === undefined) return { memories: [], files: [], left: [] };
  const reader = createHomeReader(workspace);
  const generated = attempt('files', STATE, () => readGenerated(state)) ?? new Set<string>();
  const at = (name: string): ForeignText | undefined => reader.read(KINDS[name] ?? 'files', name);
  const isOwn = (file: ForeignText | undefined): file is ForeignText => file !== undefined && !generated.has(sha256(file.text));
  const soul = at('SOUL.md');
  const memories = (
    [
      ['memory', 'MEMORY.md'],
      ['user', 'USER.md'],
    ] as const
  ).flatMap(([target, name]): ForeignMemory[] => {
    const file = at(name);
    return isOwn(file) ? [{ target, name, entries: splitMemory(file.text) }] : [];
  });
  const notes = listFiles(join(workspace, 'memory'), '.md').flatMap((name) => at(join('memory', name)) ?? []);
  const theirs = ['SOUL.md', ...FILES].filter((name) => at(name) !== undefined && !isOwn(at(name)));
  return {
    ...(isOwn(soul) && { soul }),
    memories,
    files: [...[...FILES, 'MEMORY.md', 'USER.md'].map(at).filter(isOwn), ...notes].map(({ name, text }) => ({
      name: join(relative(folder, workspace).startsWith('..') ? 'workspace' : relative(folder, workspace), name),
      text,
    })),
    left: [
      ...theirs.map((name): MigrationItem => ({
        kind: KINDS[name] ?? 'files',
        name,
        state: 'left',
        why: 'it is the text the other program wrote by itself, not yours',
      })),
      ...reader.unread(),
    ],
  };
}

/** Hashes of what the program itself wrote into new workspaces. */
function readGenerated(state: ForeignDatabase | undefined): ReadonlySet<string> {
  const there = state?.columns('workspace_generated_bootstrap_hashes').has('sha256') === true;
  return new Set(there ? state.all('SELECT sha256 FROM workspace_generated_bootstrap_hashes').map((row) => String(row['sha256'])) : []);
}

/** Those of the workspace come before those all agents share. */
function readSkills(folder: string, workspace: string | undefined): readonly ForeignSkill[] {
  const roots = [...(workspace === undefined ? [] : [join(workspace, 'skills')]), join(folder, 'skills')];
  const found = roots.flatMap((root) =>
    listSkillFolders(root, 2).map((path): ForeignSkill => ({ name: path.at(-1) ?? '', folder: join(root, ...path) })),
  );
  return [...new Map(found.toReversed().map((skill) => [skill.name, skill])).values()].toReversed();
}

/** The owner's jobs; those the program declares for itself are not. */
function readJobs({ read }: HomeReader, state: ForeignDatabase | undefined): readonly ForeignText[] {
  const old = read('cron', join('cron', 'jobs.json'));
  if (state?.columns('cron_jobs').has('job_json') !== true) return old === undefined ? [] : [old];
  const jobs = state.all('SELECT job_json FROM cron_jobs WHERE declaration_key IS NULL ORDER BY sort_order, job_id');
  if (jobs.length === 0) return [];
  const text = `${JSON.stringify({ jobs: jobs.map((row) => parseJson(readStringAt(row, 'job_json') ?? 'null')) }, undefined, 2)}\n`;
  return [{ name: join('cron', 'jobs.json'), text }];
}
