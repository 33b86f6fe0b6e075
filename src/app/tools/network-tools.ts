import type { Ports } from '../../contracts/ports.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Terminal } from '../../contracts/terminal.ts';
import type { AnyTool } from '../../contracts/tool.ts';
import { openReach } from '../../parts/safety/urls/reach.ts';
import { openBrowsers } from '../../parts/tools/builtin/browser/browsers.ts';
import { createBrowserTools } from '../../parts/tools/builtin/browser/verbs/tools.ts';
import type { FileGuard } from '../../parts/tools/builtin/files/guarded.ts';
import { createPathResolution } from '../../parts/tools/builtin/files/locate.ts';
import { imageGenerateTool } from '../../parts/tools/builtin/media/images/tool.ts';
import { textToSpeechTool } from '../../parts/tools/builtin/media/speech/tool.ts';
import { visionAnalyzeTool, type CropImage } from '../../parts/tools/builtin/media/vision-tool.ts';
import { mixtureOfAgentsTool } from '../../parts/tools/builtin/moa/tool.ts';
import { webExtractTool } from '../../parts/tools/builtin/web/extract-tool.ts';
import { webSearchTool } from '../../parts/tools/builtin/web/search-tool.ts';
import type { Env } from '../../base/env.ts';
import type { Settings } from '../config/config.ts';

export interface NetworkToolOptions {
  readonly terminal: Terminal;
  readonly ports: Ports;
  readonly profile: string;
  readonly env: Env;
  readonly guard: FileGuard;
  readonly notice: (words: string) => void;
  readonly secrets?: Secrets;
}
export interface NetworkTools extends AsyncDisposable {
  readonly tools: readonly AnyTool[];
}

/** Tools that reach beyond this machine: pages, browsers, pictures, speech, other models. What they hold open is the caller's to close. */
export function openNetworkTools(
  settings: Settings,
  { terminal, ports, profile, env, guard, notice, secrets }: NetworkToolOptions,
): NetworkTools {
  const reach = (owned: readonly string[], more: Partial<Settings> = {}) =>
    openReach({ settings: { ...settings, ...more }, home: profile, owned, env, notice });
  const variable = (name: string): string | undefined => env[name];
  const redacting = secrets === undefined ? {} : { redact: secrets.mask };
  const browsing = {
    settings,
    // A browser may be let into private places that other tools may not see.
    reach: reach([], settings['browser.allow_private_urls'] ? { 'security.allow_private_urls': true } : {}),
    home: profile,
    variable,
  };
  const browsers = openBrowsers(browsing);
  const crop: CropImage = async (ask) => (await import('../../parts/tools/builtin/browser/crop.ts')).cropWith(browsers, variable)(ask);
  const media = { settings, reach, variable, profile };
  const files = { ...createPathResolution(terminal), guard: guard.check };
  return {
    tools: [
      webSearchTool({ settings, reach, variable }),
      webExtractTool({ settings, reach, variable, home: profile, ...redacting }),
      ...createBrowserTools({ ...browsing, ...redacting, browsers }),
      visionAnalyzeTool({ ...files, reach, ports, crop }),
      imageGenerateTool(media),
      textToSpeechTool({ ...media, ...files }),
      ...(ports.consult === undefined ? [] : [mixtureOfAgentsTool({ settings, ask: ports.consult })]),
    ],
    [Symbol.asyncDispose]: () => browsers[Symbol.asyncDispose](),
  };
}
