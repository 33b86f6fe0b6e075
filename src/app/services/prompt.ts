import type { HomeParts } from '../tools/home-parts.ts';
import { statSync } from 'node:fs';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { basename, resolve } from 'node:path';
import { isUsageError, UsageError } from '../../base/errors.ts';
import { blankOutFrontmatter } from '../../base/frontmatter.ts';
import { resolveHome } from '../../base/home.ts';
import { sha256 } from '../../base/sha256.ts';
import { readTextFile } from '../../base/text-file.ts';
import type { ModelSelection } from '../../contracts/host.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import type { ScanText, TextKind } from '../../contracts/scan.ts';
import type { PromptPreview, PromptPreviewOptions, PromptService } from '../../contracts/services/owner.ts';
import { estimateTextTokens } from '../../parts/context/view/tokens.ts';
import { createAllowList } from '../../parts/safety/scan/allow-list.ts';
import { loadConfig } from '../config/config.ts';
import { refuseUnknownPlatform } from '../../parts/prompt/known-platform.ts';
import { resolveRoute } from '../../parts/providers/connect.ts';
import { FIRST_REQUEST_BYTES, previewSession, PLACEHOLDER_RUNTIME, type Preview } from '../host/preview.ts';
import { allowListPath, openSafety } from '../../parts/safety/scan/open.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { makeHome } from '../host/store.ts';

export async function createPromptService({ processEnv, notice, registered }: ServiceOptions): Promise<PromptService> {
  const home = resolveHome(processEnv);
  makeHome(home);
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, notice, registered);
  const listed = () => createAllowList(allowListPath(home));
  return {
    preview: async ({ platform, cwd, model = {}, toolsets, contextFiles }: PromptPreviewOptions) => {
      if (platform !== undefined) refuseUnknownPlatform(platform, registered.platforms, Object.keys(config.settings.platform_toolsets));
      const folder = folderAt(cwd ?? config.settings['terminal.cwd']);
      const runtime = await findRouteOrPlaceholder(model, { config, env, notice, registered });
      const chosen = toolsets?.split(',').map((name) => name.trim());
      const chosenOptions = { ...(platform !== undefined && { platform }), ...(chosen !== undefined && { toolsets: chosen }) };
      const preview = await previewSession({ notice, home, env, config, registered, cwd: folder, runtime, contextFiles, ...chosenOptions });
      return pageOf(preview, platform ?? 'cli');
    },
    scan: async (paths) => {
      const look = await openSafety(home, notice).scan();
      const allowed = listed();
      return paths.map((path) => {
        const text = readFile(path);
        const [hash = '', ...others] = hashesOf(text);
        return { file: path, hash, allowed: [hash, ...others].every((each) => allowed.has(each)), findings: lookAt(path, text, look) };
      });
    },
    allow: async (path, allowed) => {
      const list = listed();
      for (const hash of hashesOf(readFile(path))) {
        if (allowed) list.add({ hash, name: resolve(path), at: Date.now() });
        else list.remove(hash);
      }
    },
  };
}

function pageOf({ prompt, request, bytes }: Preview, platform: string): PromptPreview {
  const table = JSON.stringify(request.tools);
  return {
    slots: prompt.slots.map((slot) => ({ ...slot, chars: slot.text.length, tokens: estimateTextTokens(slot.text) })),
    text: request.system,
    tools: { count: request.tools.length, chars: table.length, tokens: estimateTextTokens(table) },
    firstRequest: { bytes, bound: FIRST_REQUEST_BYTES },
    platform,
    model: request.runtime.model,
    notices: prompt.notices,
  };
}

/** A prompt can be looked at before there is a key: then the model is the one that is named, on no route. */
async function findRouteOrPlaceholder(
  flags: ModelSelection,
  { config, env, notice, registered: { providers } }: Pick<HomeParts, 'config' | 'env' | 'notice' | 'registered'>,
): Promise<Runtime> {
  try {
    return await resolveRoute({ selection: flags, config, env, kept: undefined, notice, providers });
  } catch (error) {
    if (!isUsageError(error)) throw error;
    return { ...PLACEHOLDER_RUNTIME, model: flags.model ?? (config.settings['model.default'] || PLACEHOLDER_RUNTIME.model) };
  }
}

/** Files that have a place of their own are judged as what they are; the YAML head of `.hermes.md` never reaches the model. */
const KINDS: Readonly<Record<string, TextKind>> = { 'SKILL.md': 'skill', 'SOUL.md': 'soul', 'MEMORY.md': 'memory', 'USER.md': 'memory' };
function lookAt(path: string, text: string, look: ScanText) {
  const kind = KINDS[basename(path)] ?? 'context';
  return look(/^\.?hermes\.md$/i.test(basename(path)) ? blankOutFrontmatter(text) : text, kind);
}

/** A text and what is left of it without its YAML head: context files are judged without, skills with it. */
const hashesOf = (text: string): readonly string[] => [...new Set([text, blankOutFrontmatter(text)])].map((form) => sha256(form));

const MAX_BYTES = 8 * 1024 * 1024;
function readFile(path: string): string {
  const file = readTextFile(path, MAX_BYTES);
  if (!file.ok) throw new UsageError(`${path} could not be read: ${file.why}`);
  return file.text;
}

function folderAt(path: string): string {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new UsageError(`${folder} is not a folder.`);
  return folder;
}
