import { randomInt } from 'node:crypto';
import { definePlugin, defineTool } from 'hermes-ts/plugin';

const settings = { sides: { kind: 'number', default: 6, describe: 'How many sides each die has' } } as const;

export default definePlugin({
  name: 'dice',
  settings,
  setup(host, { sides }) {
    const roll = (count: number): { readonly text: string; readonly data: { readonly rolls: number[] } } => {
      const rolls = Array.from({ length: count }, () => randomInt(1, sides + 1));
      const sum = rolls.reduce((total, each) => total + each, 0);
      return { text: `${rolls.join(' + ')} = ${sum}`, data: { rolls } };
    };
    host.tools.add(defineTool({ name: 'roll_dice', run: ({ dice }: { readonly dice: number }) => roll(dice) }));
    host.commands.add({ name: 'roll', run: ({ dice }) => roll(typeof dice === 'number' ? dice : 2).text });
  },
});
