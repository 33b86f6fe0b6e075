/** One of several processes that work with the same store at once: node worker.ts FOLDER NAME ROUNDS */
import { bench, dice, put } from './setup.ts';

const [top = '', name = '', rounds = '1'] = process.argv.slice(2);
const here = bench(top, { limits: { maxTurns: 1_000, maxBytes: 60_000, keepMs: 86_400_000 } });
const roll = dice(name.charCodeAt(0));
for (let round = 0; round < Number(rounds); round++) {
  const text = `${name} ${round} ${'filling '.repeat(roll(300))}${roll(1_000_000)}`;
  const file = `${name}.txt`;
  const notice = await (roll(2) === 0
    ? here.tool([file], () => put(here.work, { [file]: text }), `${name}${round}`)
    : here.command(`rm ${file}`, () => put(here.work, { [file]: text }), `${name}${round}`));
  if (notice !== undefined) throw new Error(notice);
  if (roll(5) === 0) await here.store.prune();
}
