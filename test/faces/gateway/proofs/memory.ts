import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openGatewayHome, type GatewayProcess } from '../kill/home.ts';
import { answerByNonce } from '../kill/model.ts';
import { STAGES } from '../stages/index.ts';

/** What the system says of a gateway, from outside. */
export interface ProcessFigures {
  readonly rssMb: number;
  /** Open files and sockets. */
  readonly handles: number;
  /** Processes below it: shells and walls around them. */
  readonly children: number;
}
export interface MemoryResult {
  readonly chats: number;
  readonly answered: number;
  readonly idle: ProcessFigures;
  /** The most of each that was ever seen. */
  readonly most: ProcessFigures;
  /** When all is answered. */
  readonly after: ProcessFigures;
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 1_200_000);
/** One chat in so many runs a command: each that did has a terminal. */
const COMMANDS = 5;
const LOOK_MS = 250;
/** Garbage that nobody has collected yet is no memory that is held: with this much room it is collected. */
const HEAP_MB = 180;

/** So many people write once each. */
export async function runMemory(chats: number): Promise<MemoryResult> {
  await using stage = await STAGES.telegram({ chats });
  await using home = await openGatewayHome({ stages: [stage], answer: answerByNonce, config: { terminal: {} }, heapMb: HEAP_MB });
  const gateway = home.start();
  await gateway.ready;
  while (stage.sockets('main') === 0) await sleep(20);
  const idle = look(gateway);
  let most = idle;
  for (const [index, chat] of stage.chats.entries()) stage.say(chat, { text: `${index % COMMANDS === 0 ? 'do' : 'tell'} n1x${index}x1` });
  const open = new Set(stage.chats.entries());
  const deadline = Date.now() + MAX_WAIT_MS;
  while (open.size > 0 && Date.now() < deadline) {
    await sleep(LOOK_MS);
    const seen = look(gateway);
    most = {
      rssMb: Math.max(most.rssMb, seen.rssMb),
      handles: Math.max(most.handles, seen.handles),
      children: Math.max(most.children, seen.children),
    };
    for (const entry of open) {
      const [index, chat] = entry;
      if (stage.ours(chat).some(({ text }) => text.includes(`done n1x${index}x1`) && !text.includes('▉'))) open.delete(entry);
    }
  }
  const after = look(gateway);
  await gateway.stop();
  return { chats, answered: chats - open.size, idle, most, after };
}

function look({ pid }: GatewayProcess): ProcessFigures {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { rssMb: Math.round(Number(kilobytes) / 1_024), handles: readdirSync(`/proc/${pid}/fd`).length, children: countBelow(pid) };
}

/** All processes below one, at any depth. */
function countBelow(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = readParent(name);
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).length;
}

function readParent(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    // It ended meanwhile.
    return undefined;
  }
}
