import { definePlugin, defineTool } from '../../src/plugin.ts';
import { testPluginConformance } from '../../src/testing/conformance/plugin.ts';

const settings = { greeting: { kind: 'string', default: 'hello', describe: 'The first word' } } as const;

testPluginConformance({
  plugin: definePlugin({
    name: 'greeter',
    settings,
    setup: (host, { greeting }) => {
      if (host.secrets['GREETER_KEY'] === undefined) throw new Error('it has no key');
      host.tools.add(defineTool({ name: 'greet', run: ({ who }: { readonly who: string }) => ({ text: `${greeting} ${who}` }) }));
      host.on('on_session_start', () => {});
      host.commands.add({ name: 'greet', run: () => greeting });
    },
  }),
  lists: { tools: ['greet'], hooks: ['on_session_start'], commands: ['greet'] },
  settings,
  secrets: { GREETER_KEY: 'key' },
  calls: { greet: { who: 'Ada' } },
});
