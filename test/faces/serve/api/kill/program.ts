/**
 * The API of the home that the environment names, with a model that runs one command and then answers. Tells its port as a line
 * and runs until it is told to stop.
 */
import { joinTextBlocks } from '../../../../../src/contracts/message.ts';
import { openApiStage } from '../stage.ts';

const root = process.env['HERMES_HOME'] ?? '';
const stage = await openApiStage({
  root,
  host: { env: { ...process.env } },
  script: ({ messages }) => {
    const last = messages.at(-1)?.message;
    const nonce = messages.map(({ message }) => /n\d+/.exec(joinTextBlocks(message))?.[0]).findLast((found) => found !== undefined) ?? 'n0';
    return last?.role === 'tool'
      ? { text: `Done ${nonce}, and this is a longer answer in several pieces.`, chunk: 9, paceMs: 3 }
      : {
          text: `I run ${nonce}.`,
          chunk: 4,
          paceMs: 3,
          calls: [{ id: `call_${nonce}`, name: 'terminal', input: { command: `echo ${nonce} >> effects.txt` } }],
        };
  },
});
process.once('SIGTERM', () => void stage[Symbol.asyncDispose]().then(() => process.exit(0)));
console.log(stage.server.port);
