import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { definePlugin } from 'hermes-ts/plugin';

const settings = {
  forbidden: { kind: 'list', default: ['prod.example.com'], describe: 'Words that no tool call may contain' },
} as const;

export default definePlugin({
  name: 'guard',
  settings,
  setup(host, { forbidden }) {
    // Decides. When it fails or takes too long, the call is blocked.
    host.on('pre_tool_call', ({ args }) => {
      const found = forbidden.find((word) => JSON.stringify(args).includes(word));
      return found === undefined ? undefined : { action: 'block', message: `${found} is off limits. Ask the owner.` };
    });
    // Observes. What it returns counts for nothing.
    host.on('post_tool_call', ({ tool, status }) => appendFileSync(join(host.dataFolder, 'calls.log'), `${tool} ${status}\n`));
    // Adds text beside the user's message; never to the system prompt.
    host.on('pre_llm_call', () => `Off limits here: ${forbidden.join(', ')}.`);
  },
});
