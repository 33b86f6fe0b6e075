/** One promise of the floor, tried by a shell inside it. */
export interface FloorAttempt {
  readonly promise: string;
  /** What the command says, with its exit code, and what is seen outside afterwards. */
  readonly inside: string;
  readonly outside?: string;
  readonly says: string | ((level: number) => string);
  /** From which level on the promise holds; below it the other answer is known. */
  readonly from?: number;
  /** How `hermes doctor` says that it does not hold. */
  readonly doctor?: RegExp;
}
export const CONNECT = 8080;
const BIND = CONNECT + 1;
/** A port of ours, as commands name it and where it is. */
export const OWN_PORT = { asked: 9000, real: 8001 } as const;
const NOTES = 'cat /home/notes; stat -c %a-%Y /home/notes';
const UNTOUCHED = 'notes 644-1000000000';
const VICTIM = 'grep -q "^State:.[RS]" /proc/$(cat /work/victim)/status && echo alive || echo dead';

const LEFT = 'ps -o args | grep -c "^sleep 7777"';

export const ATTEMPTS: readonly FloorAttempt[] = [
  { promise: 'files that are shown can be read', inside: 'cat /home/notes', says: 'notes 0' },
  { promise: 'a hidden file cannot be read', inside: 'cat /home/key 2>/dev/null', says: '1' },
  { promise: 'the workspace can be written to', inside: 'echo x >/work/n && cat /work/n', says: 'x 0' },
  {
    promise: 'nothing else can be changed, made or removed',
    inside: '(echo x >/home/notes; echo x >/home/new; rm -f /home/notes; mkdir /home/d; ln -s / /home/l) 2>/dev/null; ls /home | wc -l',
    outside: NOTES,
    says: `4 0 ${UNTOUCHED}`,
  },
  {
    promise: 'mode and times are changed in the workspace alone',
    inside:
      'cd /work; chmod 750 n; touch -d "2001-09-09 01:46:41" n; stat -c %a-%Y n; (chmod 777 /home/notes; touch /home/notes; chmod u+s n) 2>/dev/null',
    outside: `stat -c %a /work/n; ${NOTES}`,
    says: `750-1000000001 1 750 ${UNTOUCHED}`,
  },
  {
    promise: 'no file of the owner is emptied',
    inside: 'for how in 1000 1001 1002 1003; do inside open /home/notes $how; done; inside truncate /home/notes >/dev/null',
    outside: NOTES,
    says: `EACCES EACCES EACCES EACCES 0 ${UNTOUCHED}`,
  },
  {
    promise: 'files are moved between folders',
    inside: 'cd /work; mkdir -p a b; echo f >a/f; inside rename a/f b/f',
    says: (level) => (level < 2 ? 'EXDEV 0' : 'done 0'),
    from: 2,
    doctor: /moved between folders/,
  },
  { promise: 'programs copy where they cannot move', inside: 'cd /work; echo f >a/f; mv a/f b/g; cat b/g', says: 'f 0' },
  {
    promise: 'ports of the session are reached',
    inside: `inside connect ${CONNECT}; inside connect ${OWN_PORT.asked}`,
    says: 'done done 0',
  },
  {
    promise: 'other ports of the machine are not',
    inside: `inside connect ${OWN_PORT.real}; inside connect 8090`,
    says: 'ECONNREFUSED ECONNREFUSED 0',
  },
  { promise: 'ports are listened on when Hermes says so', inside: `inside listen ${BIND}; inside listen 8082`, says: 'done EACCES 0' },
  {
    promise: 'sockets by path and by abstract name are not reached',
    inside: 'inside connect /home/socket; inside connect @engine; inside connect /work/socket',
    says: 'EACCES ECONNREFUSED done 0',
  },
  { promise: 'processes of the owner are not ended', inside: 'kill -9 $(cat /work/victim) 2>/dev/null', outside: VICTIM, says: '1 alive' },
  {
    promise: 'processes of the owner are not ended by signals for what happens to a file',
    inside: 'inside told $(cat /work/victim) >/dev/null',
    outside: VICTIM,
    says: '0 alive',
  },
  {
    promise: 'processes of the owner are not ended by a thread id',
    inside: 'inside thread $(cat /work/victim) >/dev/null; sleep 1',
    outside: VICTIM,
    says: '0 alive',
  },
  { promise: 'a command ends what it started', inside: 'sleep 99 & kill $!; wait $!', says: '143' },
  { promise: 'no device takes requests', inside: 'inside request /dev/ptmx 0; inside request /dev/ptmx 3', says: 'EBADF EBADF 0' },
  {
    promise: 'a device that commands may read takes no requests',
    inside: 'inside request /home/device 0',
    says: (level) => (level < 5 ? 'ENOTTY 0' : 'EACCES 0'),
    from: 5,
    doctor: /requests to devices/,
  },
  { promise: 'exit codes are passed on', inside: 'exit 7', says: '7' },
  { promise: 'signals that end a command are passed on', inside: 'kill -9 $$', says: '137' },
  { promise: 'descriptors 0 to 3 are inside, and no others', inside: 'inside files all', says: '0 1 2 3 0' },
  {
    promise: 'what runs ends with Hermes',
    inside: '(setsid sleep 7777 >/dev/null 2>&1 &); sleep 1',
    outside: `${LEFT}; kill -9 $(cat /control.pid); for second in 1 2 3 4 5 6 7 8 9; do [ $(${LEFT}) = 0 ] || sleep 1; done; ${LEFT}`,
    says: '0 1 0',
  },
];
