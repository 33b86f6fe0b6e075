import { after } from 'node:test';
import { collectDefaults, type SliceValues } from '../../../../../src/contracts/settings.ts';
import { ToolFailure } from '../../../../../src/contracts/tool.ts';
import { openReach } from '../../../../../src/parts/safety/urls/reach.ts';
import { urlSettings } from '../../../../../src/parts/safety/urls/settings.ts';
import type { Location } from '../../../../../src/parts/tools/builtin/files/locate.ts';
import { mediaSettings } from '../../../../../src/parts/tools/builtin/media/settings.ts';
import { contextIn, deskAt, tempFolder } from '../../setup.ts';
import { KEY, startFakes } from './fakes.ts';

const NAMES = ['openai', 'fal', 'gemini', 'imagen', 'xai', 'openrouter', 'elevenlabs', 'minimax', 'mistral'];
const KEYS: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  fal: 'FAL_KEY',
  gemini: 'GEMINI_API_KEY',
  imagen: 'GEMINI_API_KEY',
  xai: 'XAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  elevenlabs: 'ELEVENLABS_API_KEY',
  minimax: 'MINIMAX_API_KEY',
  mistral: 'MISTRAL_API_KEY',
};

/** Options with the fakes behind them and keys for the named services. */
export async function withFakes(
  keyed: readonly string[],
  settings: Partial<SliceValues<typeof mediaSettings>> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const fakes = await startFakes();
  after(fakes.close);
  const home = tempFolder();
  const known: Record<string, string> = { ...variables, ...Object.fromEntries(keyed.map((name) => [KEYS[name] ?? '', KEY])) };
  const refusedPaths: string[] = [];
  return {
    fakes,
    home,
    known,
    context: contextIn(deskAt(home)),
    options: {
      settings: { ...collectDefaults(mediaSettings), ...settings },
      reach: (owned: readonly string[]) =>
        openReach({ settings: collectDefaults(urlSettings), home, owned, open: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] }),
      variable: (name: string) => known[name],
      profile: home,
      cwd: () => home,
      bases: Object.fromEntries(NAMES.map((name) => [name, `${fakes.base}/${name}${name === 'openai' ? '/v1' : ''}`])),
      guard: ({ path, real }: Location, intent: string) => {
        refusedPaths.push(`${intent} ${path}`);
        if (`${path}${real}`.includes('.env')) throw new ToolFailure(`Refused: ${path} is not for tools.`);
      },
    },
    guarded: refusedPaths,
  };
}
