import { setTimeout as sleep } from 'node:timers/promises';
import { openGatewayHome } from '../../../faces/gateway/kill/home.ts';
import { answerMail, openMailStage, type MailStage } from './mail-stage.ts';

export interface MailLoopResult {
  readonly who: string;
  /** What the agent sent to them, to one question. */
  readonly answers: number;
  /** What they sent to the agent by themselves. */
  readonly automatic: number;
}

const VACATION = 'vera@people.test';
const POLITE = 'paul@people.test';
const RUDE = 'rudi@people.test';
const WITNESS = 'will@people.test';
/** So many quick answers in a row are answered here. */
export const MAX_QUICK = 3;

/**
 * Three programs that answer whatever comes, each after one question of its owner: dovecot's own vacation, one that says what it is,
 * and one that hides it.
 */
export async function runMailLoops(): Promise<readonly MailLoopResult[]> {
  await using stage = await openMailStage([VACATION, POLITE, RUDE, WITNESS], { max_quick_replies: MAX_QUICK });
  stage.servers.setSieve(VACATION, 'require ["vacation"];\nvacation :days 0 "I am away.";\n');
  await using home = await openGatewayHome({ stages: [stage], answer: answerMail });
  const gateway = home.start();
  while (stage.imap.count() === 0) await sleep(20);
  await sleep(500);
  const over = new AbortController();
  const responders = [
    answerEverything(stage, POLITE, ['Auto-Submitted: auto-replied'], over.signal),
    answerEverything(stage, RUDE, [], over.signal),
  ];
  for (const [index, person] of [VACATION, POLITE, RUDE].entries())
    await stage.write({
      from: person,
      messageId: `q${index}@people.test`,
      fields: ['Subject: hello'],
      content: Buffer.from(`\r\ntell n0x0x${index}`),
    });
  // The vacation answers people: somebody is told.
  await stage.write({
    from: WITNESS,
    to: VACATION,
    messageId: 'w@people.test',
    fields: ['Subject: hello'],
    content: Buffer.from('\r\nAre you there?'),
  });
  await quiet(stage, [VACATION, POLITE, RUDE, WITNESS]);
  over.abort();
  const automatic = await Promise.all(responders);
  const told = (await stage.received(WITNESS)).filter(({ text }) => text.includes('I am away')).length;
  await gateway.stop();
  const answersTo = async (person: string): Promise<number> =>
    (await stage.received(person)).filter(({ from }) => from === stage.bot).length;
  return [
    { who: 'vacation', answers: await answersTo(VACATION), automatic: told },
    { who: 'polite', answers: await answersTo(POLITE), automatic: automatic[0] ?? 0 },
    { who: 'rude', answers: await answersTo(RUDE), automatic: automatic[1] ?? 0 },
  ];
}

/** Answers every mail of the agent, once; gives how many. */
async function answerEverything(stage: MailStage, person: string, fields: readonly string[], over: AbortSignal): Promise<number> {
  const answered = new Set<string>();
  while (!over.aborted) {
    for (const { from, messageId } of await stage.received(person)) {
      if (from !== stage.bot || answered.has(messageId)) continue;
      answered.add(messageId);
      const head = [...fields, 'Subject: Re: hello', `In-Reply-To: <${messageId}>`];
      await stage.write({
        from: person,
        messageId: `auto-${answered.size}-${person}`,
        fields: head,
        content: Buffer.from('\r\nI got your mail. tell n1x1x1'),
      });
    }
    await sleep(50);
  }
  return answered.size;
}

/** Nothing new came for a while, anywhere. */
const QUIET_MS = 3_000;
async function quiet(stage: MailStage, people: readonly string[]): Promise<void> {
  let [count, since] = [-1, Date.now()];
  while (Date.now() - since < QUIET_MS || count < people.length) {
    const now = (await Promise.all([...people, stage.bot].map((person) => stage.received(person)))).flat().length;
    if (now !== count) [count, since] = [now, Date.now()];
    await sleep(100);
  }
}
