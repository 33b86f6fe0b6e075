import type { CommandRule } from '../call/call.ts';
import { hasMarks, isUnknown, MARK } from '../values/marks.ts';
import { ask, hasFlag, listOperands, listFlagValues, askAboutVerbs } from './rows.ts';
import { SERVICES } from './vendors/infrastructure.ts';
import { askBeyondWays } from './ways.ts';

/** From this size on a file may fill the disk. */
const HUGE = 20 * 2 ** 30;
const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, P: 2 ** 50 };
const bytes = (size: string): number => {
  const [, count = '0', unit = ''] = /^[+]?([\d.]+)\s*([KMGTP]?)i?B?$/i.exec(size) ?? [];
  return Number(count) * (UNITS[unit.toUpperCase()] ?? 1);
};

/** What `dd` would write. */
const sizeOfCopy = (args: readonly string[]): number => {
  const value = (name: string): string => args.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return bytes(value('bs') === '' ? '512' : value('bs')) * Number(value('count'));
};

/** Programs, images and addresses of those who dig. */
const MINERS = /(?:^|[/\s])(?:xmrig|minerd|cpuminer|ethminer|nbminer|lolminer|t-rex|xmr-stak)|^stratum\+/i;
/** Whoever listens at a port of this machine, told to end: a server somebody is writing. */
const isByPort = (word: string, args: readonly string[], from: readonly string[]): boolean =>
  from.includes('lsof') && word === MARK.name && !args.some((each) => /^-(?:9|KILL|SIGKILL)$/.test(each));

/** Running programs, the services of the machine and what it has room for. */
export const PROCESSES: readonly CommandRule[] = [
  ask(
    'kill_unknown',
    'it ends processes that are only known when it runs',
    (name, args, { from }) =>
      name === 'kill' &&
      args.some(
        (word) =>
          /[\uE001\uE002]/.test(word) ||
          (isUnknown(word) && (args.some((each) => /^-(?:9|KILL|SIGKILL)$/.test(each)) || from.includes('xargs'))) ||
          (hasMarks(word) && from.includes('xargs') && !isByPort(word, args, from)),
      ),
  ),
  ask(
    'kill_by_name',
    'it ends programs by name, whoever they belong to',
    (name, args) =>
      /^(?:pkill|killall|skill|snice|xkill|slay|killall\d|taskkill)$/.test(name) &&
      !args.some((word) => /^(?:-0|--help|--version|-V|-l|--list)$/.test(word)),
  ),
  ask(
    'kill_system',
    'it ends a process of the system',
    (name, args) =>
      name === 'kill' &&
      !args.includes('-0') &&
      (listOperands(args).some((word) => /^[01]$/.test(word)) ||
        // Behind `--`, or behind a signal, a number below zero is a whole group of processes.
        (args.includes('--') ? args.slice(args.indexOf('--') + 1) : args.slice(1)).some((word) => /^-(?:\d+|[\uE000\uE003])/.test(word))),
  ),
  askAboutVerbs('kill_by_name', 'it ends the work of others', {
    fuser: /(?:^|\s)-[a-zA-Z]*k|--kill/,
    screen: /-X\b.*\b(?:quit|kill)/,
    xdotool: /windowkill|windowclose|windowquit/,
    wmctrl: /(?:^|\s)-c\b/,
    zellij: /kill|delete/,
    immortalctl: /halt|kill/,
    monit: /stop|unmonitor/,
    tmux: /paste-buffer|kill-server|kill-session\s+-a/,
    wall: true,
    postsuper: /(?:^|\s)-\w*d/,
    exim: /(?:^|\s)-M(?:rm|g|t)/,
    lpadmin: /(?:^|\s)-x/,
    cancel: true,
    haproxy: /(?:^|\s)-(?:sf|st)\b/,
    falconctl: /(?:^|\s)-d/,
    brew: /services\s+(?:stop|restart|cleanup)/,
    sc: /\b(?:stop|delete|config)\b/,
    initctl: /stop|restart/,
    sv: /^(?:down|stop|exit|kill|force)/,
  }),
  askBeyondWays('services', 'it stops, restarts or changes a service', SERVICES),
  ask('fills_disk', 'it may fill the disk', (name, args, { writes, from, background }) => {
    if (name === 'fallocate') return listFlagValues(args, /^-l$|^--length$/).some((size) => hasMarks(size) || bytes(size) > HUGE);
    if (name === 'truncate') return listFlagValues(args, /^-s$|^--size$/).some((size) => bytes(size) > 50 * HUGE);
    if (name === 'dd')
      return (
        args.some((word) => /^if=\/dev\/(?:zero|u?random|full)$/.test(word)) &&
        args.some((word) => word.startsWith('of=') && word !== 'of=/dev/null') &&
        (!args.some((word) => word.startsWith('count=')) || sizeOfCopy(args) > HUGE)
      );
    if (name === 'seq') return writes.length > 0 && args.some((word) => /^\d{10,}$|^inf/i.test(word));
    if (name === 'mkfile' || name === 'xfs_mkfile') return true;
    // Nothing is filled by this one, but a core is burnt for as long as nobody looks.
    if (name === 'yes' && background && writes.includes('/dev/null')) return true;
    const endless =
      /^(?:yes)$/.test(name) ||
      (/^(?:cat|cp|tail|od|base64|hexdump|xxd|sort|tac|pv)$/.test(name) &&
        args.some((word) => /^\/dev\/(?:zero|u?random|full)$/.test(word)));
    return (
      (endless && (writes.some((word) => word !== '/dev/null') || /^(?:tail|sort|tac)$/.test(name))) ||
      (name === 'tee' && /^(?:yes)$/.test(from.at(-1) ?? '')) ||
      (from[0] === 'yes' && from.length === 1 && writes.length > 0 && name === 'cat')
    );
  }),
  ask(
    'resources',
    'it digs for coins',
    (name, args) => /^(?:docker|podman|nerdctl|nohup|screen|tmux|systemd-run)$/.test(name) && args.some((word) => MINERS.test(word)),
  ),
  askAboutVerbs('resources', 'it strains the machine on purpose', {
    stress: true,
    ping: /(?:^|\s)-[a-zA-Z]*f\b/,
    iperf3: /^$/,
    renice: /(?:^|\s)-[ug]\b|--(?:user|pgrp)|(?:^|\s)1$/,
    'stress-ng': true,
    forkbomb: true,
    xmrig: true,
    minerd: true,
    cpuminer: true,
    ethminer: true,
    nbminer: true,
    lolMiner: true,
    phoenixminer: true,
    't-rex': true,
    memtester: true,
    sysbench: /--time=\d{4,}/,
    ulimit: /unlimited|-[a-zA-Z]*[nuvfm]\s+0(?:\s|$)/,
    cgset: true,
    cgdelete: true,
    ab: /-n\s*\d{6,}/,
    wrk: /-d\s*\d+[mh]|-c\s*\d{4,}/,
    siege: /-c\s*\d{4,}/,
    ionice: /(?:^|\s)-c\s*1\b.*-p|-p\s*1\b/,
    chrt: /(?:^|\s)-[a-z]*f\b.*-p|--fifo/,
    openssl: /speed.*-seconds\s+\d{4,}/,
  }),
  ask(
    'resources',
    'it holds a whole lot of memory or time',
    (name, args) =>
      /^(?:head|tail)$/.test(name) &&
      args.some((word) => /^\/dev\/zero$/.test(word)) &&
      listFlagValues(args, /^-c$/).some((size) => bytes(size) > HUGE || isUnknown(size)),
  ),
  ask('swap', 'it changes limits of another process', (name, args) => name === 'prlimit' && hasFlag(args, 'p', '--pid')),
];
