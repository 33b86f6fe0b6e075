import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { blankFrontmatter } from '../../base/frontmatter.ts';
import { homeAt } from '../../base/home.ts';
import { printable } from '../../base/printable.ts';
import { sha256 } from '../../base/sha256.ts';
import { readTextFile } from '../../base/text-file.ts';
import type { ScanText, TextKind } from '../../contracts/scan.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { promptJson, renderPrompt, renderScan, type PromptPage, type ScannedFile } from '../../faces/cli/prompt.ts';
import type { JsonFlag, PromptFlags } from '../../faces/cli/verbs.ts';
import { textTokens } from '../../parts/context/tokens.ts';
import { allowedHashes } from '../../parts/safety/scan/allow-list.ts';
import { loadConfig } from '../config.ts';
import type { Config } from '../config.ts';
import type { Env } from '../../base/env.ts';
import { refuseUnknownPlatform } from '../../parts/prompt/known-platform.ts';
import { routeFor } from '../../parts/providers/connect.ts';
import { FIRST_REQUEST_BYTES, previewSession, STAND_IN, type Preview } from '../host/preview.ts';
import { allowListPath, openSafety } from '../../parts/safety/scan/open.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../../parts/config/environment.ts';
import { makeHome, storeNotice } from '../host/store.ts';

/** The system prompt a new session would get, slot by slot. What the owner should know of it goes to stderr. */
export async function show(flags: PromptFlags): Promise<number> {
  const { home, env, config } = await open();
  if (flags.platform !== undefined) refuseUnknownPlatform(flags.platform, Object.keys(config.settings.platform_toolsets));
  const cwd = folderAt(flags.cwd ?? config.settings['terminal.cwd']);
  const runtime = await routeOrStandIn(flags, config, env);
  const { platform, toolsets } = flags;
  const wish = {
    ...(platform !== undefined && { platform }),
    ...(toolsets !== undefined && { toolsets: toolsets.split(',').map((name) => name.trim()) }),
  };
  const preview = await previewSession({
    notice: storeNotice,
    home,
    env,
    config,
    cwd,
    runtime,
    contextFiles: flags.ignoreRules !== true,
    ...wish,
  });
  for (const words of preview.prompt.notices) process.stderr.write(`hermes: ${printable(words)}\n`);
  const screen = processScreen();
  const page = pageOf(preview, flags.platform ?? 'cli');
  if (flags.json === true) screen.json(promptJson(page));
  else screen.out(renderPrompt(page, screen));
  return 0;
}

function pageOf({ prompt, request, bytes }: Preview, platform: string): PromptPage {
  const table = JSON.stringify(request.tools);
  return {
    slots: prompt.slots.map((slot) => ({ ...slot, chars: slot.text.length, tokens: textTokens(slot.text) })),
    text: request.system,
    tools: { count: request.tools.length, chars: table.length, tokens: textTokens(table) },
    firstRequest: { bytes, bound: FIRST_REQUEST_BYTES },
    platform,
    model: request.runtime.model,
  };
}

/** A prompt can be looked at before there is a key: then the model is the one that is named, on no route. */
async function routeOrStandIn(flags: PromptFlags, config: Config, env: Env): Promise<Runtime> {
  try {
    return await routeFor({ selection: flags, config, env, kept: undefined, notice: storeNotice });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...STAND_IN, model: flags.model ?? (config.settings['model.default'] || STAND_IN.model) };
  }
}

/** What the scanner finds in files, as they would be met in a project. Exit code 1 when one would be blocked. */
export async function scan(paths: readonly string[], flags: JsonFlag): Promise<number> {
  const { home } = await open();
  const look = await openSafety(home, storeNotice).scan();
  const allowed = allowedHashes(allowListPath(home));
  const files = paths.map((path): ScannedFile => {
    const text = readFile(path);
    const [hash = '', ...others] = hashesOf(text);
    return { file: path, hash, allowed: [hash, ...others].every((each) => allowed.has(each)), findings: lookAt(path, text, look) };
  });
  const screen = processScreen();
  if (flags.json === true) screen.json(files);
  else screen.out(`${renderScan(files, screen)}\n`);
  return files.some(({ findings, allowed: ok }) => findings.length > 0 && !ok) ? 1 : 0;
}

/** Files that have a place of their own are judged as what they are; the YAML head of project files never reaches the model. */
const KINDS: Readonly<Record<string, TextKind>> = { 'SKILL.md': 'skill', 'SOUL.md': 'soul', 'MEMORY.md': 'memory', 'USER.md': 'memory' };
function lookAt(path: string, text: string, look: ScanText) {
  const kind = KINDS[basename(path)] ?? 'context';
  return look(kind === 'context' ? blankFrontmatter(text) : text, kind);
}

/** Lets this very text through from now on; another text under the same name is judged anew. */
export async function allow(path: string, flags: { readonly remove?: boolean }): Promise<number> {
  const { home } = await open();
  const list = allowedHashes(allowListPath(home));
  for (const hash of hashesOf(readFile(path))) {
    if (flags.remove === true) list.remove(hash);
    else list.add({ hash, name: resolve(path), at: Date.now() });
  }
  const words = flags.remove === true ? 'is judged by the scanner again' : 'is allowed as it stands; any change of it is judged anew';
  processScreen().out(`${printable(path)} ${words}. Sessions that run keep their prompt; new ones see the change.\n`);
  return 0;
}

/** A text and what is left of it without its YAML head: context files are judged without, skills with it. */
const hashesOf = (text: string): readonly string[] => [...new Set([text, blankFrontmatter(text)])].map((form) => sha256(form));

async function open() {
  const home = homeAt(process.env);
  makeHome(home);
  const env = environment(home.env, process.env);
  return { home, env, config: await loadConfig(home.config, env) };
}

const MOST_BYTES = 8 * 1024 * 1024;
function readFile(path: string): string {
  const file = readTextFile(path, MOST_BYTES);
  if (!file.ok) throw new UsageError(`${path} could not be read: ${file.why}`);
  return file.text;
}

function folderAt(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(`${folder} is not a folder.`);
  return folder;
}
