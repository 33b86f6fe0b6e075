import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['tools'] } as const;
const NAMES = { kind: 'list', required: true, description: 'toolsets or tools' } as const;

export const toolsList = defineCommand({
  ...FACTS,
  name: 'tools list',
  summary: 'List tools and toolsets',
  options: {
    toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'only tools of these toolsets' },
    platform: { kind: 'text', placeholder: 'name', description: 'as in a session on this platform' },
  },
  json: 'one JSON array',
  examples: ['hermes tools list -t terminal,file', 'hermes tools list --platform telegram'],
  run: (choice, { tools }) => tools.list(choice),
});

export const toolsEnable = defineCommand({
  ...FACTS,
  name: 'tools enable',
  summary: 'Enable toolsets or tools for all sessions',
  arguments: { names: NAMES },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes tools enable browser'],
  run: async ({ names }, { tools }) => ({ on: true, ...(await tools.switch(names, true)) }),
});

export const toolsDisable = defineCommand({
  ...FACTS,
  name: 'tools disable',
  summary: 'Disable toolsets or tools for all sessions',
  arguments: { names: NAMES },
  json: 'as JSON',
  examples: ['hermes tools disable browser image_generate'],
  run: async ({ names }, { tools }) => ({ on: false, ...(await tools.switch(names, false)) }),
});
