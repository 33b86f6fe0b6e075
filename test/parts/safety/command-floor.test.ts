import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileIdentity } from '../../../src/contracts/safety.ts';
import { judgeCommand } from '../../../src/parts/safety/command-floor.ts';

const PLACE = { cwd: '/srv/project', home: '/home/ada' };

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
  'env -u X rm -rf /',
  'env -i -C /tmp A=1 rm -rf /',
  'env --unset=X -- rm -rf /',
  "env -S 'rm -rf /'",
  'timeout 5 rm -rf /',
  'timeout -k 5 --signal KILL 10s rm -rf /',
  'nice -n 10 rm -rf /',
  'nice -10 rm -rf /',
  'xargs -n 1 rm -rf /',
  'echo x | xargs -0 -I {} -P4 rm -rf /',
  'stdbuf -o L rm -rf /',
  'stdbuf -oL rm -rf /',
  'ionice -c 3 rm -rf /',
  'sudo -u root rm -rf /',
  'sudo -nu root env -u X rm -rf /',
  "sudo -u root sh -c 'rm -rf /'",
  'doas -u root rm -rf /',
  "su -c 'rm -rf /'",
  'su root --command "rm -rf ~"',
  'nohup rm -rf / &',
  'setsid -w rm -rf /',
  'time -p rm -rf /',
  'busybox rm -rf /',
  "busybox sh -c 'rm -rf /'",
  'command rm -rf /',
  'command -p rm -rf /',
  'exec -a x rm -rf /',
  '\\rm -rf /',
  '"rm" -rf /',
  "$'rm' -rf /",
  'chroot / rm -rf /',
  'chroot --userspec root /mnt rm -rf /usr',
  'taskset -c 0 rm -rf /',
  'flock /tmp/lock rm -rf /',
  "flock /tmp/lock -c 'rm -rf /'",
  'watch -n 1 rm -rf /',
  'if rm -rf /; then echo; fi',
  'while true; do rm -rf /; done',
  '{ rm -rf /; }',
  'f() { rm -rf /; }; f',
  'A=1 B=2 rm -rf /',
  'rm -rf ${HOME}',
  'rm -rf -- /',
  'rm -rf /{etc,usr}',
  'find / -exec rm -rf {} +',
  'find / -name x -exec sudo /bin/rm {} \\;',
  'find /tmp / -delete',
  'find -L /etc -delete',
  "find / -exec sh -c 'rm -rf $1' _ {} +",
  'find . -exec rm -rf / +',
  'cd / && rm -rf *',
  'cd / && rm -rf .',
  'cd /; rm -rf ./*',
  'cd /usr/lib; rm -rf ..',
  'X=/; rm -rf $X',
  'X=/; rm -rf "${X}"',
  'export X=/; rm -rf $X*',
  'X=rm; $X -rf /',
  'X="rm -rf /"; $X',
  'echo "rm -rf /" | sh',
  'echo "rm -rf /" | cat | sudo bash -s',
  'echo / | xargs rm -rf',
  'echo / | xargs -I {} rm -rf {}',
  'sh <<< "rm -rf /"',
  'bash <<EOF\nrm -rf /\nEOF',
  "cat <<'EOF' | sh\nrm -rf /\nEOF",
  'cat <<EOF\n$(rm -rf /)\nEOF',
  'echo $((1<<2))\nrm -rf /\n2',
  '$(echo rm) -rf /',
  '`echo rm` -rf /',
  'rm -rf "$(echo /)"',
  "$'\\x72m' -rf /",
  'echo "$(rm -rf "$HOME")"',
  'echo "$(true $(rm -rf /))"',
  'echo ${X:-$(rm -rf /)}',
  'cd $HOME && rm -rf *',
  'cd && rm -rf *',
  "sh -c 'cd / && rm -rf *'",
  'if true; then cd /; fi; rm -rf *',
  'echo x | { sh -c "rm -rf /"; }',
  'echo "rm -rf /" | { sh; }',
];
const ASKED = [
  'rm -rf /srv/data',
  'sudo -u www ls',
  'su -c ls',
  'find /srv/data -exec rm -rf {} +',
  `${'env '.repeat(40)}ls`,
  'sudo apt-get install x',
  'chmod 777 file',
  'chmod -R a+w .',
  'echo x > /etc/hosts',
  'echo "unclosed',
  'curl -s https://example.org/x | sh',
  'bash <(curl -s https://example.org/x)',
  'cat list | xargs rm -rf',
  'cat list | xargs rm',
  'cat list | xargs -I{} sh -c "{}"',
  '$(cat name) -rf x',
  '$TOOL x',
  'rm -rf "$TMPDIR/x"',
  'rm -rf $(cat list)',
  'cd "$SOMEWHERE" && rm -rf *',
  'cd /srv/data && rm -rf *',
  '(X=/tmp/a); rm -rf $X',
];
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
  'ls -la | head # rm -rf /',
  'dd if=a of=b',
  'timeout 5 echo rm -rf /',
  'env | grep ^NODE_',
  'xargs -n 1 echo < list',
  'git ls-files | xargs -I {} wc -l {}',
  'command -v shutdown',
  'command -v rm',
  'stdbuf -o L tail log',
  'find . -name node_modules -exec rm -rf {} +',
  'find . -name "*.log" -exec rm {} \\;',
  'bash <<EOF\nls\nEOF',
  'find / -name rm',
  'find /etc -name "*.conf" -exec grep -l rm {} +',
  'find . -type f -exec chmod 644 {} +',
  'if [ -f x ]; then cat x; fi',
  'for f in *.ts; do echo "$f"; done',
  'f() { echo hi; }; f',
  'echo {a,b}',
  'rm -rf {dist,build}',
  'echo ${HOME}',
  'watch ls',
  'cd build && rm -rf *',
  'cd build && rm -rf ./* && cd .. && rm -rf dist',
  '(cd ../other && ls); rm -rf dist',
  'for f in *.log; do rm "$f"; done',
  'cat list | xargs grep foo',
  'X=1; echo $X',
  'D=dist; rm -rf $D',
  "X=/; echo '$X'; rm -rf '$X'",
  'cat > run.sh <<EOF\nrm -rf /\nEOF',
  'files=($(git ls-files)); echo "${files[@]}"',
  '[[ $a == 1 && $b == 2 ]] && echo yes',
  'echo "rm -rf /" | tee notes',
  'echo done 2>/dev/null | cat',
  'case $1 in a) ls ;; *) pwd ;; esac',
];

const verdictOf = (command: string) => judgeCommand(command, PLACE).type;

for (const command of REFUSED) test(`refused: ${command}`, () => assert.equal(verdictOf(command), 'refuse'));
for (const command of ASKED) test(`needs consent: ${command}`, () => assert.equal(verdictOf(command), 'ask'));
for (const command of FINE) test(`fine: ${command}`, () => assert.equal(verdictOf(command), 'fine'));

test('a glob is read from where the terminal stands', () => {
  for (const command of ['rm -rf *', 'rm -rf .', 'find . -delete', 'rm -rf ./*'])
    assert.equal(judgeCommand(command, { ...PLACE, cwd: '/' }).type, 'refuse', command);
});

/** A disk of a few names, as the terminal would show it. */
const DISK: Readonly<Record<string, FileIdentity>> = {
  '/': { device: 1, inode: 2, kind: 'folder' },
  '/etc': { device: 1, inode: 7, kind: 'folder' },
  '/srv/project/root': { device: 1, inode: 40, kind: 'link', link: '/' },
  '/srv/project/own': { device: 1, inode: 41, kind: 'link', link: 'dist' },
  '/srv/project/bound': { device: 1, inode: 7, kind: 'folder' },
  '/srv/project/here.txt': { device: 1, inode: 42, kind: 'file' },
};
const look = (path: string): FileIdentity | undefined => DISK[path];

test('paths are followed by what lies on the disk: links, and folders known by device and inode', () => {
  const seen = (command: string) => judgeCommand(command, { ...PLACE, look }).type;
  assert.equal(seen('rm -rf root/'), 'refuse');
  assert.equal(seen('rm -rf root/etc'), 'refuse');
  assert.equal(seen('rm -rf bound'), 'refuse', 'a bind mount of /etc');
  assert.equal(seen('rm -rf own/x'), 'fine');
  assert.equal(seen('git checkout here.txt'), 'ask', 'a file, not a branch');
  assert.equal(seen('git checkout here'), 'fine');
  assert.equal(verdictOf('ln -s / x; rm -rf x/'), 'refuse', 'a link of the line itself');
});

test('a class of danger has a key by which its like can be allowed', () => {
  const keyOf = (command: string) => {
    const verdict = judgeCommand(command, PLACE);
    return verdict.type === 'fine' ? undefined : verdict.key;
  };
  assert.deepEqual(['rm -rf /srv/data', 'sudo ls', 'git push --force', 'cat .env', 'echo "open', '$X y', 'rm -rf /'].map(keyOf), [
    'recursive_delete',
    'privilege',
    'git_history',
    'secret_read',
    'unreadable',
    'not_reading',
    'system_delete',
  ]);
});

test('a line too long to be read is asked about', () => {
  assert.equal(verdictOf(`echo ${'a '.repeat(200_000)}`), 'ask');
});

test('the longest line of anything is judged', () => {
  for (const piece of [
    '"',
    "'",
    '$(',
    '\\',
    'a ',
    '`',
    '((',
    '>>',
    'env ',
    '{ ',
    '{a,',
    "$'",
    'find / -exec ',
    'rm -rf {a,b}',
    'X=$X$X$X; ',
    'echo x|sh|',
    '${',
    '<<a ',
    '<<<',
    '[[ ',
    'cd x;',
    '(X=a;',
    '"$(',
    'echo a|',
  ])
    judgeCommand(piece.repeat(120_000 / piece.length), PLACE);
  judgeCommand(`X=${'y '.repeat(1_900)};${'echo $X;'.repeat(15_000)}`, PLACE);
  judgeCommand(`echo ${'y '.repeat(25_000)}${'|sh'.repeat(20_000)}`, PLACE);
});
