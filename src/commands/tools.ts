import { toVisibleLine } from '../base/visible.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { ToolSwitchResult } from '../contracts/services/tools.ts';
import { takeFirstSentence } from './describe.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['tools'] } as const;
const NAMES = { kind: 'list', required: true, description: 'toolsets or tools' } as const;

export const toolsList = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal', 'chat'],
  slash: ['tools', 'tools list'],
  name: 'tools list',
  summary: 'List tools and toolsets',
  options: {
    toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'only tools of these toolsets' },
    platform: { kind: 'text', placeholder: 'name', description: 'as in a session on this platform' },
  },
  json: 'one JSON array',
  examples: ['hermes tools list -t terminal,file', 'hermes tools list --platform telegram'],
  run: (choice, { tools }, { chat }) => tools.list({ ...(chat !== undefined && { platform: chat.platform }), ...choice }),
  describe: ({ session, tools }) => {
    const lines = tools.filter(({ inSession }) => inSession).map(({ name, description }) => `${name}: ${takeFirstSentence(description)}`);
    const problem = 'problem' in session ? [`No session can start: ${session.problem}`] : [`Toolsets: ${session.toolsets.join(', ')}`];
    return [...problem, ...lines.map(toVisibleLine)].join('\n');
  },
});

const describeSwitched = ({ changed, off }: ToolSwitchResult): string =>
  `${changed ? '' : 'Nothing changed. '}${off.length === 0 ? 'No tool is disabled' : `Disabled: ${off.map(toVisibleLine).join(', ')}`}. This applies to new sessions.`;

/** More names than these are a wall of text; `hermes tools list` has them. */
const MAX_NAMED = 12;

export const toolsetsList = defineCommand({
  ...FACTS,
  where: ['terminal', 'chat'],
  name: 'toolsets',
  summary: 'List the toolsets and what is in them',
  examples: ['/toolsets'],
  run: async (_values, { tools }) => (await tools.list({})).toolsets,
  describe: (toolsets) =>
    toolsets
      .map(({ name, description, tools }) =>
        toVisibleLine(`${name}: ${description} (${tools.length > MAX_NAMED ? `${tools.length} tools` : tools.join(', ')})`),
      )
      .join('\n'),
});

export const toolsEnable = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'tools enable',
  summary: 'Enable toolsets or tools for all sessions',
  arguments: { names: NAMES },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes tools enable browser'],
  run: async ({ names }, { tools }) => ({ on: true, ...(await tools.switch(names, true)) }),
  describe: describeSwitched,
});

export const toolsDisable = defineCommand({
  ...FACTS,
  where: ['shell', 'terminal'],
  name: 'tools disable',
  summary: 'Disable toolsets or tools for all sessions',
  arguments: { names: NAMES },
  json: 'as JSON',
  examples: ['hermes tools disable browser image_generate'],
  run: async ({ names }, { tools }) => ({ on: false, ...(await tools.switch(names, false)) }),
  describe: describeSwitched,
});
