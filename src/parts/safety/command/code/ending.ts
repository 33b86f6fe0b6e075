import { toCommandAction } from '../call/handed.ts';
import type { CodeAct, CodeCall } from './code-call.ts';
import { flagDanger } from './evaluating.ts';

/** `os.kill(pid, 0)`: whether it is there. */
const onlyAsks = ({ args, name }: CodeCall): boolean =>
  /^(?:os|process|posix)\./.test(name) && args[1]?.length === 1 && args[1][0]?.text === '0';
/** A number, a process the code has started itself and the code's own are known; the signal 0 only asks whether it is there. */
const endsOthers = ({ args, mentions }: CodeCall): boolean => {
  const said = args.map((each) => each.map(({ text }) => text).join(''));
  return !said.includes('0') && said.length > 0 && !said.every((each) => KNOWN_PROCESS.test(each)) && !mentions(/\.pid\b|fork\s*\(|spawn/);
};
const KNOWN_PROCESS = /^-?\d+$|SIG|^(?:TERM|KILL|HUP|INT|USR\d|QUIT|\d+)$|getpid|process\.pid|^\$\$$|signal/;

/** Processes that are ended. */
export const endsProcesses: CodeAct = (call) => [
  ...(onlyAsks(call) ? [] : [toCommandAction(['kill', '-9', ...call.args.map((each) => each.map(({ text }) => text).join(''))])]),
  ...(endsOthers(call) ? flagDanger('kill_unknown', 'its code ends processes that are only known when it runs')(call) : []),
];
