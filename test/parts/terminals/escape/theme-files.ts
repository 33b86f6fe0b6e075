import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import type { EscapeTheme } from './attempt.ts';

const signal = AbortSignal.timeout(600_000);
const read = async (terminal: Terminal, path: string): Promise<string> => {
  try {
    const pieces = await Array.fromAsync(terminal.files.read(path, signal));
    return Buffer.concat(pieces).toString();
  } catch (error) {
    return String(error);
  }
};
const write = (terminal: Terminal, path: string, text = 'planted\n'): Promise<string> =>
  terminal.files.write(path, text).then(
    () => `wrote ${path}`,
    (error: unknown) => String(error),
  );

const pathsThatLeadOut: EscapeTheme = ({ key, out, home, project, profile, mark }) => ({
  'read by plain, dotted and linked paths': {
    tries: async (terminal) => {
      symlinkSync(out, join(project, 'way'));
      symlinkSync('/', join(project, 'top'));
      const paths = [
        key,
        join(project, 'planted'),
        `${project}/way/key`,
        `${project}/top${key}`,
        `${project}/../../out/key`,
        join(home, '.ssh/id_ed25519'),
        join(profile, '.env'),
        join(home, '.config/gh/hosts.yml'),
      ];
      return (await Promise.all(paths.map((path) => read(terminal, path)))).join('\n');
    },
  },
  'read by way of /proc and /dev': {
    tries: async (terminal) => {
      const self = ['self', 'thread-self', String(process.pid), '1'];
      const paths = [
        ...self.flatMap((each) => [`/proc/${each}/root${key}`, `/proc/${each}/cwd/../out/key`, `/proc/${each}/environ`]),
        `/dev/fd/0/..${key}`,
        `/proc/self/root/proc/self/root${key}`,
      ];
      symlinkSync('/proc/self/root', join(project, 'self'));
      symlinkSync('/proc/self/cwd', join(project, 'here'));
      const all = await Promise.all(
        [...paths, `${project}/self${key}`, `${project}/here/../../out/key`].map((path) => read(terminal, path)),
      );
      return all.join('\n').replaceAll('\0', '\n');
    },
  },
  'write by plain, dotted and linked paths': {
    tries: async (terminal) => {
      symlinkSync(out, join(project, 'way'));
      symlinkSync(mark, join(project, 'dangling'));
      symlinkSync(join(home, '.bashrc'), join(project, 'rc'));
      const paths = [
        mark,
        `${project}/way/ran`,
        join(project, 'dangling'),
        join(project, 'rc'),
        join(home, '.profile'),
        join(home, '.config/new/x'),
        '/etc/hermes-x',
        `/proc/self/root${mark}`,
        join(profile, 'config.yaml'),
        join(home, '.npm/x/../../.bash_login'),
      ];
      return (await Promise.all(paths.map((path) => write(terminal, path)))).join('\n');
    },
  },
  'list, look at, rename and remove what lies outside': {
    tries: async (terminal) => {
      symlinkSync(out, join(project, 'way'));
      const done = await Promise.allSettled([
        terminal.files.list(out).then((found) => found.some(({ name }) => name === 'key') && 'canary-7f3a91c2 listed'),
        terminal.files
          .list(join(project, 'way'))
          .then((found) => found.some(({ name }) => name === 'key') && 'canary-7f3a91c2 listed by a link'),
        terminal.files.list(join(home, '.ssh')).then((found) => found.length > 0 && 'canary-7f3a91c2 keys listed'),
        terminal.files.rename(join(project, 'way/key'), join(project, 'mine')),
        terminal.files.rename(join(project, 'index.js'), join(project, 'way/ran')),
        terminal.files.remove(join(project, 'way/key')),
        terminal.files.remove(join(home, '.bashrc')),
      ]);
      return `${JSON.stringify(done)}${await read(terminal, join(project, 'mine'))}`;
    },
  },
});

const swapsAndOddFiles: EscapeTheme = ({ key, out, home, project, mark }) => ({
  'swap a file for a link while it is read': {
    tries: async (terminal) => {
      const swaps = await terminal.start(`echo plain > f; while :; do ln -sf ${key} l; mv -T l f; echo plain > p; mv -T p f; done`, {
        maxOutput: 1_000,
      });
      const seen = new Set<string>();
      for (let at = 0; at < 400; at++) seen.add(await read(terminal, join(project, 'f')));
      await swaps.kill();
      return [...seen].join('\n');
    },
  },
  'swap a folder for a link while a file in it is written': {
    tries: async (terminal) => {
      mkdirSync(join(project, 'd'));
      const swaps = await terminal.start(`while :; do mv -T d e; ln -s ${out} d; rm d; mv -T e d; done 2>/dev/null`, { maxOutput: 1_000 });
      for (let at = 0; at < 300; at++) await write(terminal, join(project, 'd/ran'));
      await swaps.kill();
      return '';
    },
  },
  'swap a folder above for a link while folders are made': {
    tries: async (terminal) => {
      mkdirSync(join(project, 'd'));
      const swaps = await terminal.start(`while :; do mv -T d e; ln -s ${out} d; rm d; mv -T e d; rm -rf d/x; done 2>/dev/null`, {
        maxOutput: 1_000,
      });
      for (let at = 0; at < 200; at++) await write(terminal, join(project, 'd/x/y/ran'));
      await swaps.kill();
      return existsSync(join(out, 'x')) ? 'canary-7f3a91c2 folders were made outside' : '';
    },
  },
  'swap a file for a link while it is written over': {
    tries: async (terminal) => {
      const swaps = await terminal.start(`while :; do ln -sf ${home}/.bashrc l; mv -T l f; rm -f f; done 2>/dev/null`, {
        maxOutput: 1_000,
      });
      for (let at = 0; at < 300; at++) await write(terminal, join(project, 'f'));
      await swaps.kill();
      return '';
    },
  },
  'a pipe or a device in the place of a file': {
    tries: async (terminal) => {
      await run(terminal, 'mkfifo pipe; ln -s /dev/zero zero; ln -s /proc/self/mem mem; ln -s /dev/tty tty');
      const late = new Promise<string>((resolve) => setTimeout(resolve, 5_000, 'canary-7f3a91c2 a pipe holds the agent up').unref());
      const tries = ['pipe', 'mem', 'tty'].map((name) => Promise.race([read(terminal, join(project, name)), late]));
      return (await Promise.all(tries)).join('\n').slice(0, 2_000);
    },
  },
  'a hard link to a file that commands can see and not change': {
    tries: async (terminal) => {
      const { output } = await run(terminal, `ln ${home}/.bashrc hard; ln ${home}/.gitconfig hard2; ln /etc/passwd hard3; ls`);
      await write(terminal, join(project, 'hard'));
      return output.includes('hard') && lstatSync(join(home, '.bashrc')).nlink > 1 ? 'canary-7f3a91c2 a hard link was made' : '';
    },
  },
  'the private /tmp as the host’s': {
    tries: async (terminal) => {
      const first = await write(terminal, '/tmp/hermes-escape-note', 'note\n');
      await run(terminal, `ln -s ${out} /tmp/w; ln -s ${key} /tmp/k`);
      const more = [await read(terminal, '/tmp/k'), await read(terminal, '/tmp/w/key'), await write(terminal, '/tmp/w/ran')];
      return `${first} ${more.join('\n')} ${existsSync('/tmp/hermes-escape-note') ? 'canary-7f3a91c2 it lies in the /tmp of the host' : ''}`;
    },
  },
  'names with odd bytes': {
    tries: async (terminal) => {
      const names = ['a\nb', '..', '.', `x\0/../../out/key`, '-rf', "'; touch x; '", `$(touch ${mark})`, '\u202Etxt', 'a'.repeat(255)];
      const done: string[] = [];
      for (const name of names)
        done.push(await write(terminal, `${project}/${name}`), (await read(terminal, `${project}/${name}`)).slice(0, 200));
      return done.join('\n');
    },
  },
});

const guardedFilesByLink: EscapeTheme = ({ project, mark }) => ({
  'the guarded files of the project, by a link from an ordinary name': {
    tries: async (terminal) => {
      await run(terminal, 'ln -s .git/config plain.txt; ln -s .git/hooks hk');
      await write(terminal, join(project, 'plain.txt'), `[core]\n\tfsmonitor = "touch ${mark};false"\n`);
      const config = readFileSync(join(project, '.git/config'), 'utf8');
      return `${config.includes('fsmonitor') ? 'written through the link: a question of the tool’s, which goes by the real path' : ''} ${await terminal.files.real(join(project, 'plain.txt'))}`;
    },
  },
});

/** To make file tools, which run in our own process, read or write where commands cannot. */
export const fileTools: EscapeTheme = (world) => ({ ...pathsThatLeadOut(world), ...swapsAndOddFiles(world), ...guardedFilesByLink(world) });
