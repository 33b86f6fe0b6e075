import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../src/parts/safety/command-floor.ts';

const PLACE = { cwd: '/work/project', home: '/home/ada' };

const REFUSED = [
  'rm -rf /',
  'rm -rf / --no-preserve-root',
  'rm -fr /*',
  'rm --recursive --force ~',
  'rm -r "$HOME"',
  'cd /tmp && rm -rf ~/',
  'sudo rm -rf /etc',
  'env FOO=1 rm -rf /usr',
  "sh -c 'rm -rf /'",
  'bash -lc "rm -rf $HOME"',
  'echo $(rm -rf /)',
  'echo "now: $(rm -rf /)"',
  'true; /bin/rm -rf ../../',
  'find / -delete',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/nvme0n1',
  'cat x > /dev/sda',
  'shutdown -h now',
  'systemctl reboot',
  'kill -9 -1',
  ':(){ :|:& };:',
  'eval "rm -rf /"',
];
const ASKED = ['rm -rf /srv/data', 'sudo apt-get install x', 'chmod 777 file', 'chmod -R a+w .', 'echo x > /etc/hosts', 'echo "unclosed'];
const FINE = [
  'rm -rf node_modules',
  'rm -rf ./build dist/',
  'rm file.txt',
  'echo "rm -rf /"',
  "git commit -m 'rm -rf / is bad'",
  'grep -rn "shutdown" .',
  'find . -name "*.log"',
  'chmod 755 run.sh',
  'chmod +x run.sh',
  'cat /etc/hosts',
  'npm test && echo done',
  'ls -la | head # rm -rf /',
  'dd if=a of=b',
  'kill -9 1234',
  'node -e "console.log(1)" > out.txt 2>&1',
];

const verdictOf = (command: string) => judgeCommand(command, PLACE).type;

for (const command of REFUSED) test(`refused: ${command}`, () => assert.equal(verdictOf(command), 'refuse'));
for (const command of ASKED) test(`needs consent: ${command}`, () => assert.equal(verdictOf(command), 'ask'));
for (const command of FINE) test(`fine: ${command}`, () => assert.equal(verdictOf(command), 'fine'));

test('a megabyte of anything is judged in linear time', () => {
  for (const piece of ['"', "'", '$(', '\\', 'a ', '`', '((', '>>']) judgeCommand(piece.repeat(500_000 / piece.length), PLACE);
});
