import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { UpdateNews, UpdateResult, UpdateStep } from '../contracts/services/updates.ts';

export const update = defineCommand({
  name: 'update',
  category: 'settings',
  where: ['shell'],
  whileBusy: 'run',
  needs: ['updates'],
  json: 'as JSON',
  ownerOnly: true,
  summary: 'Update hermes: gateways finish their turns, stop, and start again with the new version',
  options: { check: { kind: 'flag', description: 'only say what is new' } },
  examples: ['hermes update --check', 'hermes update'],
  run: async ({ check }, { updates }, { report }: CommandContext<UpdateStep>): Promise<UpdateNews | UpdateResult> =>
    check === true ? updates.look() : updates.update(report),
});
