import { defineCommand } from '../contracts/services/define-command.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['tools'] } as const;
const NAMES = { kind: 'list', required: true, description: 'toolsets or tools' } as const;

export const toolsList = defineCommand({
  ...FACTS,
  name: 'tools list',
  summary: 'every tool and toolset',
  options: {
    toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'only of these toolsets' },
    platform: { kind: 'text', placeholder: 'name', description: 'as a session on this platform has them' },
  },
  json: 'one JSON array',
  examples: ['hermes tools list -t terminal,file', 'hermes tools list --platform telegram'],
  run: (choice, { tools }) => tools.list(choice),
});

export const toolsEnable = defineCommand({
  ...FACTS,
  name: 'tools enable',
  summary: 'let sessions have these toolsets or tools again',
  arguments: { names: NAMES },
  json: 'as JSON',
  ownerOnly: true,
  examples: ['hermes tools enable browser'],
  run: async ({ names }, { tools }) => ({ on: true, ...(await tools.switch(names, true)) }),
});

export const toolsDisable = defineCommand({
  ...FACTS,
  name: 'tools disable',
  summary: 'keep these toolsets or tools from every session',
  arguments: { names: NAMES },
  json: 'as JSON',
  examples: ['hermes tools disable browser image_generate'],
  run: async ({ names }, { tools }) => ({ on: false, ...(await tools.switch(names, false)) }),
});
