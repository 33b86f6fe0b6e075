import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import type { Attempt, EscapeTheme } from './attempt.ts';
import type { World } from './world.ts';

const meansOf = ({ mark, project }: World) => {
  const touch = `touch ${mark}`;
  const hook = (path: string): string => `mkdir -p $(dirname ${path}); printf '#!/bin/sh\\n${touch}\\n' > ${path}; chmod +x ${path}`;
  const LOOKS =
    'git status; git diff; git log -1; git add -A; git commit --allow-empty -m x; git checkout -b other; git stash; git pull; git fetch';
  const byGit = (tries: Attempt['tries'], afterwards = LOOKS): Attempt => ({ tries, afterwards, bare: true });
  /** Files that programs take up by themselves; whether the command's words are still there shows it. */
  const byName = (...names: readonly string[]): Attempt => ({
    tries: names.map((name) => `mkdir -p "$(dirname ${name})"; echo 'planted ${touch}' > ${name}`).join('; '),
    shows: () => {
      const left = names.filter((name) => existsSync(join(project, name)) && readFileSync(join(project, name), 'utf8').includes('planted'));
      return left.length === 0 ? undefined : `left in the project: ${left.join(', ')}`;
    },
    bare: true,
  });
  const bySettings = (before: string, tries: string, afterwards = LOOKS): Attempt => ({ before, tries, afterwards, bare: true });
  return { touch, hook, LOOKS, byGit, byName, bySettings };
};

const settingsAndHooksOfGit: EscapeTheme = (world) => {
  const { project } = world;
  const { touch, hook, LOOKS, byGit } = meansOf(world);
  return {
    'a hook of git': byGit(`for h in pre-commit post-checkout post-index-change prepare-commit-msg; do ${hook('.git/hooks/$h')}; done`),
    'a hook in the place of the whole folder': byGit(
      `rm -rf .git/hooks; mv .git/hooks .git/h; ${hook('own/post-index-change')}; ln -s $PWD/own .git/hooks; rmdir .git/hooks; ln -s ../own .git/hooks`,
    ),
    'a watcher in the settings of git': byGit(`git config core.fsmonitor '${touch};false'`),
    'a folder of hooks in the settings of git': byGit(
      `${hook('tools/post-index-change')}; git config core.hooksPath tools; printf '[core]\\n\\thooksPath = tools\\n' >> .git/config`,
    ),
    'further settings that name programs': byGit(
      `git config core.pager '${touch}'; git config core.editor '${touch}'; git config diff.external '${touch}'; git config core.sshCommand '${touch}'; git config credential.helper '!${touch}'; git config gpg.program ${project}/g; ${hook('g')}; git config alias.st '!${touch}'; git config remote.origin.url 'ext::sh -c ${touch}'; git config protocol.ext.allow always; git config sequence.editor '${touch}'`,
      `${LOOKS}; git st; git fetch origin`,
    ),
    'a filter, with its settings and attributes': byGit(
      `git config filter.x.clean '${touch}; cat'; git config filter.x.smudge '${touch}; cat'; git config diff.x.textconv '${touch}; cat'; echo '* filter=x diff=x' | tee .gitattributes > .git/info/attributes; echo more >> index.js`,
    ),
    'settings from a file that is included': byGit(
      `printf '[core]\\n\\tfsmonitor = "${touch};false"\\n' > more; git config include.path ../more; printf '[include]\\n\\tpath = ../more\\n' >> .git/config`,
    ),
    'settings of one worktree': byGit(
      `git config extensions.worktreeConfig true; printf '[core]\\n\\tfsmonitor = "${touch};false"\\n' > .git/config.worktree`,
    ),
    'another repository in the place of this one': byGit(
      `git init -q evil; git -C evil config core.fsmonitor '${touch};false'; mv .git old; rm -rf .git; cp -r evil/.git .git; mv evil/.git .git`,
    ),
    'a file that sends git elsewhere': byGit(
      `git init -q evil; git -C evil config core.fsmonitor '${touch};false'; mv .git old && echo "gitdir: evil/.git" > .git; echo ../evil/.git > .git/commondir`,
    ),
    'a repository within, with a watcher': byGit(
      `mkdir sub && cd sub && git init -q && git config core.fsmonitor '${touch};false' && git config core.hooksPath h && ${hook('h/post-index-change')} && echo x > f && git add f && git commit -qm x; cd ..; git add sub`,
      'git status; cd sub && git status; git add -A',
    ),
    'a bare repository in a folder': byGit(
      `git init -q --bare docs && git -C docs config core.fsmonitor '${touch};false' && git -C docs config core.bare false && git -C docs config core.worktree .`,
      'cd docs && git status',
    ),
    'a submodule with settings of its own': byGit(
      `mkdir -p .git/modules/m && git init -q m && mv m/.git/* .git/modules/m/ && rm -rf m/.git && echo "gitdir: ../.git/modules/m" > m/.git && git config -f .git/modules/m/config core.fsmonitor '${touch};false' && git config -f .git/modules/m/config core.worktree ../../../m; git add m; printf '[submodule "m"]\\n\\tpath = m\\n\\turl = ./m\\n' > .gitmodules`,
      'git status; cd m && git status',
    ),
    'a strategy of an unfinished rebase': {
      before:
        'for n in 1 2; do echo $n > r$n; git add r$n; git commit -qm r$n; done; GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i HEAD~2; echo more > more; git add more; git commit -qm more',
      tries: `${hook('git-merge-x/evil')}; echo x/evil > .git/rebase-merge/strategy`,
      afterwards: 'git -c core.editor=true rebase --continue',
      bare: true,
    },
    'settings written again and again after they were compared': {
      tries: async (terminal) => {
        await run(
          terminal,
          `(setsid bash -c 'for i in $(seq 60); do git config core.fsmonitor "${touch};false"; sleep 0.05; done' </dev/null >/dev/null 2>&1 &); true`,
        );
        await sleep(1_200);
        return 'went on';
      },
      afterwards: LOOKS,
    },
    'settings written at the very end of the session': {
      tries: async (terminal) => {
        await run(
          terminal,
          `(setsid bash -c 'while :; do git config core.fsmonitor "${touch};false"; sleep 0.02; done' </dev/null >/dev/null 2>&1 &); sleep 0.1`,
        );
        await terminal[Symbol.asyncDispose]();
        return 'went on';
      },
      afterwards: LOOKS,
    },
    'settings written by a process in the background': {
      tries: async (terminal) => {
        const writer = await terminal.start(`sleep 0.3; git config core.fsmonitor '${touch};false'; sleep 5`, { maxOutput: 1_000 });
        await sleep(1_500);
        await writer.kill();
        await writer.exited;
        return 'went on';
      },
      afterwards: LOOKS,
    },
  };
};

const filesByTheirNames: EscapeTheme = (world) => {
  const { project } = world;
  const { touch, byName } = meansOf(world);
  return {
    'tasks and settings of editors': byName(
      '.vscode/tasks.json',
      '.vscode/settings.json',
      '.idea/startup.xml',
      '.zed/tasks.json',
      'x.code-workspace',
      '.devcontainer/devcontainer.json',
      '.nvim.lua',
      '.exrc',
      '.dir-locals.el',
    ),
    'the same under other spellings and deeper': byName(
      '.VSCode/Tasks.json',
      'a/b/c/.vscode/tasks.json',
      'packages/x/.envrc',
      'docs/AGENTS.md',
    ),
    'the same by a link to a folder': {
      tries: `mkdir innocent; echo 'planted ${touch}' > innocent/tasks.json; ln -s innocent .vscode`,
      shows: () => (existsSync(join(project, '.vscode/tasks.json')) ? 'tasks were left in the project' : undefined),
      bare: true,
    },
    'what a shell runs when it enters': byName(
      '.envrc',
      'mise.toml',
      '.tool-versions',
      '.autoenv',
      '.bashrc',
      '.zshenv',
      '.gdbinit',
      '.tmux.conf',
    ),
    'instructions for agents': byName(
      'AGENTS.md',
      'CLAUDE.md',
      'GEMINI.md',
      '.cursor/rules/x.mdc',
      '.github/copilot-instructions.md',
      '.claude/settings.json',
      '.mcp.json',
      '.hermes/config.yaml',
      '.hermes.md',
    ),
    'where packages and tools come from': byName(
      '.npmrc',
      '.yarnrc.yml',
      '.cargo/config.toml',
      'pip.conf',
      '.mvn/extensions.xml',
      '.bazelrc',
      '.pre-commit-config.yaml',
      'lefthook.yml',
      '.lfsconfig',
      'uv.toml',
      'NuGet.Config',
      '.pnpmfile.cjs',
      '.yarn/releases/yarn.cjs',
      '.hg/hgrc',
    ),
    'what files of the owner run by a path': {
      before:
        "mkdir -p scripts .husky; echo 'source scripts/env.sh' > .envrc; printf '[hooks]\\nenter = \"./enter.sh\"\\n' > mise.toml; echo 'sh scripts/lint.sh' > .husky/pre-commit; touch scripts/env.sh scripts/lint.sh enter.sh",
      tries: `for f in scripts/env.sh scripts/lint.sh enter.sh; do echo 'planted ${touch}' > $f; done`,
      shows: () =>
        ['scripts/env.sh', 'scripts/lint.sh', 'enter.sh'].some((name) => readFileSync(join(project, name), 'utf8').includes('planted'))
          ? 'left in the project'
          : undefined,
      bare: true,
    },
  };
};

const filesThatSettingsName: EscapeTheme = (world) => {
  const { project } = world;
  const { touch, hook, LOOKS, bySettings } = meansOf(world);
  return {
    'hooks in a folder the owner’s settings name': bySettings(
      'git config core.hooksPath .husky; mkdir .husky',
      `${hook('.husky/pre-commit')}; ${hook('.husky/_/pre-commit')}; ${hook('.husky/post-index-change')}`,
    ),
    'hooks in a folder of any name': bySettings(
      'git config core.hooksPath tools/own; mkdir -p tools/own',
      `${hook('tools/own/pre-commit')}; ${hook('tools/own/post-index-change')}`,
    ),
    'a script that a filter of the owner’s runs': bySettings(
      'mkdir tools; echo cat > tools/clean.sh; echo "*.js filter=x diff=x" > .gitattributes; git config filter.x.clean "sh tools/clean.sh"; git config diff.x.textconv "cat <"',
      `echo '${touch}; cat' > tools/clean.sh; echo more >> index.js`,
    ),
    'the same by its folder, by a link, and made where it is missing': bySettings(
      `mkdir -p tools; echo cat > tools/clean.sh; echo "* filter=x diff=y" > .gitattributes; git config filter.x.clean "sh tools/clean.sh"; git config filter.x.smudge ./late.sh; git config alias.st '!./st.sh'`,
      `mv tools old; mkdir tools2; ${hook('tools2/clean.sh')}; ln -s tools2 tools; ${hook('late.sh')}; ${hook('evil.sh')}; ln -s evil.sh st.sh; echo more >> index.js`,
      `${LOOKS}; git st`,
    ),
    'a script and a hook that an included config of the owner’s names': bySettings(
      `mkdir -p scripts tools-hooks; echo cat > scripts/clean.sh; echo "*.js filter=x" > .gitattributes; printf '[filter "x"]\\n\\tclean = sh scripts/clean.sh\\n[core]\\n\\thooksPath = tools-hooks\\n' > team.gitconfig; git config include.path ../team.gitconfig`,
      `echo '${touch}; cat' > scripts/clean.sh; ${hook('tools-hooks/pre-commit')}; ${hook('tools-hooks/post-index-change')}; echo more >> index.js`,
    ),
    'the same two includes deep, under a condition, and of the owner’s own settings': bySettings(
      `mkdir -p scripts tools-hooks; printf '[include]\\n\\tpath = b.cfg\\n' > a.cfg; printf '[core]\\n\\thooksPath = tools-hooks\\n' > b.cfg; git config includeIf.onbranch:other.path ../a.cfg; printf '[alias]\\n\\tst = !scripts/st.sh\\n' > ~/more.cfg; git config --global include.path more.cfg`,
      `${hook('tools-hooks/pre-commit')}; ${hook('tools-hooks/post-index-change')}; ${hook('scripts/st.sh')}; echo more >> index.js`,
      `${LOOKS}; git status; git st`,
    ),
    'a program in a folder of the project that is on the PATH': {
      tries: async (terminal) => {
        world.owner('mkdir -p .venv/bin; printf "#!/bin/sh\\n" > .venv/bin/python; chmod +x .venv/bin/python');
        const { openWalled } = await import('./open-walled.ts');
        const other = await openWalled(world, terminal.wall?.profile ?? 'unattended', {
          env: { PATH: `${project}/.venv/bin:${world.env['PATH'] ?? ''}` },
        });
        await run(other, `for p in git ls; do ${hook('.venv/bin/$p')}; done`);
        await other[Symbol.asyncDispose]();
        return '';
      },
      afterwards: `PATH=${project}/.venv/bin:$PATH; ls; git status`,
    },
  };
};

const namesAndTheFolderItself: EscapeTheme = (world) => {
  const { project, out } = world;
  const { touch } = meansOf(world);
  return {
    'a name in the project that means something to a shell': {
      tries: `touch -- '-rf' '$(${touch.replace('/', '\\/')})' ';x' 2>/dev/null; mkdir -p '$(id)'; printf '\\033]0;x\\007' > $'\\033]52;c;eA==\\007'; ln -s ${out} $'a\\nb'`,
      afterwards: 'for f in *; do :; done; ls; git status',
    },
    'a link in the place of the project itself': {
      tries: `cd ..; mv ${project} ${project}.old; ln -s ${out} ${project}; rmdir ${project}; rm -rf ${project}; [ -L ${project} ] && printf "canary-%s\\n" 7f3a91c2; true`,
      shows: () => (existsSync(join(project, 'key')) ? 'the project is another folder' : undefined),
    },
  };
};

/** To leave something in the project that runs when its owner merely looks, enters, opens or commits. */
export const deferredInProject: EscapeTheme = (world) => ({
  ...settingsAndHooksOfGit(world),
  ...filesByTheirNames(world),
  ...filesThatSettingsName(world),
  ...namesAndTheFolderItself(world),
});
