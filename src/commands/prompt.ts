import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'prompt', where: ['shell'], whileBusy: 'run', needs: ['prompt'] } as const;

/** The system prompt a new session would get, slot by slot. */
export const promptShow = defineCommand({
  ...FACTS,
  name: 'prompt',
  summary: 'Show the system prompt of a new session, section by section',
  options: {
    platform: { kind: 'text', placeholder: 'name', description: 'for this platform (default: cli)' },
    model: { kind: 'text', letter: 'm', completes: 'model', description: 'for this model' },
    provider: { kind: 'text', placeholder: 'name', completes: 'provider', description: 'on this provider' },
    cwd: { kind: 'text', placeholder: 'dir', completes: 'folder', description: 'in this working directory' },
    toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'with these toolsets' },
    ignoreRules: { kind: 'flag', description: 'without SOUL.md and project files' },
  },
  json: 'as JSON: {slots, text}',
  examples: [
    'hermes prompt',
    'hermes prompt --platform telegram --model openai/gpt-5.2',
    "hermes prompt --json | jq -r '.slots[] | [.name, .tokens] | @tsv'",
  ],
  run: ({ model, provider, ignoreRules, ...options }, { prompt }) =>
    prompt.preview({
      ...options,
      model: { ...(model !== undefined && { model }), ...(provider !== undefined && { provider }) },
      contextFiles: ignoreRules !== true,
    }),
});

/** What the scanner finds in files, as they would be met in a project. `ok: false` when one would be blocked. */
export const promptScan = defineCommand({
  ...FACTS,
  name: 'prompt scan',
  summary: 'Scan files for hidden instructions',
  arguments: { files: { kind: 'list', required: true, completes: 'file', description: 'the files to scan' } },
  json: 'one JSON array',
  examples: ['hermes prompt scan AGENTS.md docs/*.md'],
  run: async ({ files: paths }, { prompt }) => {
    const files = await prompt.scan(paths);
    return { files, ok: !files.some(({ findings, allowed }) => findings.length > 0 && !allowed) };
  },
});

export const promptAllow = defineCommand({
  ...FACTS,
  name: 'prompt allow',
  summary: 'Allow a file that the scanner flagged, as it is now',
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'the file to allow' } },
  options: { remove: { kind: 'flag', description: 'revoke the permission' } },
  ownerOnly: true,
  json: 'as JSON',
  examples: ['hermes prompt allow AGENTS.md', 'hermes prompt allow AGENTS.md --remove'],
  run: async ({ file, remove }, { prompt }) => {
    await prompt.allow(file, remove !== true);
    return { file, allowed: remove !== true };
  },
});
