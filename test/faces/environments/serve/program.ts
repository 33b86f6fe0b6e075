/** An environment in a process of its own, which stories kill: node program.ts '{"url": …, "out": …, "name": …}' */
import { randomInt } from 'node:crypto';
import { serve } from '../../../../src/faces/environments/serve/serve.ts';
import { stageServe, traceOf } from './scene.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what kill-story.ts gives
const { url, out, name } = JSON.parse(process.argv[2] ?? '{}') as { readonly url: string; readonly out: string; readonly name: string };
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
/** Tokens no other attempt has, whoever makes it. */
const marks = new Map<number, number>();
const markOf = (attempt: number): number => {
  const mark = marks.get(attempt) ?? randomInt(1_000, 2 ** 31);
  marks.set(attempt, mark);
  return mark;
};
await using scene = await stageServe({
  url,
  out,
  env: {
    wandb_name: name,
    max_num_workers: 4,
    max_batches_offpolicy: 8,
    eval_handling: 'NONE',
    steps_per_eval: 1_000_000,
    ensure_scores_are_not_same: false,
  },
  answer: (attempt) => ({ text: String(attempt % 2), paceMs: randomInt(1, 30) }),
  trace: (attempt) => traceOf(markOf(attempt)),
});
await serve(scene.deps(stop.signal));
