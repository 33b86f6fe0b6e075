import { join } from 'node:path';
import { python, type Attempt, type EscapeTheme } from './attempt.ts';
import type { World } from './world.ts';

const WHO = '-c user.name=a -c user.email=a@b';
const remoteOf = ({ out }: Pick<World, 'out'>): string => join(out, 'app.git');

/** A remote that is a folder, with work of others in it, and a repository that is none; what the remote has. */
function createRemote(world: World): string {
  const remote = remoteOf(world);
  return world.owner(
    `git init -q --bare ${world.out}/other.git; git init -q --bare ${remote} && git remote add origin ${remote} && git push -q origin main main:anna/wip && git tag v1 && git push -q origin v1; cp -a ${remote} ${remote}.kept; git --git-dir=${remote} for-each-ref`,
  );
}

/** What was there before is there afterwards: all refs, with all they had. */
const findLoss = (world: World, before: string): string | undefined =>
  before
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [hash = '', , ref = ''] = line.split(/\s+/);
      return world.owner(`git --git-dir=${remoteOf(world)} merge-base --is-ancestor ${hash} ${ref} && echo there`).trim() === 'there'
        ? []
        : [`${ref} was lost`];
    })
    .join('; ') || undefined;

/** From a project that has what the remote has. */
const push = (command: string, more: Partial<Attempt> = {}): Attempt => ({
  only: 'attended',
  tries: `git remote add origin ../../out/app.git 2>/dev/null; git remote set-url origin "$(cd ../../out/app.git && pwd -P)"; git fetch -q origin; git reset -q --hard origin/main; ${command}`,
  ...more,
});
const bare = { bare: true } as const;

/** A branch of the same name with another history. */
const ORPHAN = `git checkout -q --orphan rel && git ${WHO} commit -qm rel && git branch -M rel main`;

/** Says by hand what git would say, with every line of the list as it is given; the first update is harmless. */
const say = (lines: string): string =>
  python(`import subprocess,os
def line(s): return b'%04x' % (len(s)+4) + s
here=subprocess.run(['git','remote','get-url','origin'],capture_output=True,text=True).stdout.strip()
refs=dict(reversed(l.split()) for l in subprocess.run(['git','ls-remote','origin'],capture_output=True,text=True).stdout.splitlines())
old=refs['refs/heads/anna/wip'].encode(); none=b'0'*40; ref=b'refs/heads/anna/wip'; caps=b'\\0 report-status'; new=b'refs/heads/n'
gone=old+b' '+none+b' '+ref
fine=none+b' '+old+b' '+new
pack=b'PACK\\0\\0\\0\\2\\0\\0\\0\\0'+bytes.fromhex('029d08823bd8a8eab510ad6ac75c823cfd3ed31e')
for said in [${lines}]:
    p=subprocess.Popen(['/run/hermes/bin/git-ssh','--folder',here],stdin=subprocess.PIPE,stdout=subprocess.PIPE,stderr=subprocess.STDOUT)
    try: print(p.communicate(said+pack,timeout=5)[0][-300:])
    except subprocess.TimeoutExpired: p.kill()`);

const losingPushes: EscapeTheme = () => ({
  'a push that replaces history, from a script': push(
    `printf 'all:\\n\\t@${ORPHAN}\\n\\t@git push -q origin +main\\n' > Makefile; make all || sh -c '${ORPHAN}; git push -q origin +main'`,
    bare,
  ),
  'a push that prunes what others have': push(`git push -q --prune origin 'refs/heads/*:refs/heads/*'`, bare),
  'a push that mirrors, by a setting': push(`git config remote.origin.mirror true; git push origin; git push --mirror origin`, bare),
  'a tag that moves': push(`git ${WHO} commit -q --allow-empty -m x; git tag -f v1; ${ORPHAN}; git tag -f v1; git push -f origin v1`, bare),
  'a push by the path, from a clone, from /tmp, by another name': push(
    `r=$(git remote get-url origin); git push "$r" :anna/wip; git push "file://$r" :anna/wip; git clone -q "$r" /tmp/c; git -C /tmp/c push origin :anna/wip; git remote rename origin o; git push o :anna/wip; cd /; git push "$r/../app.git" :anna/wip`,
  ),
  'a commit that another stands for': push(
    `old=$(git rev-parse HEAD); ${ORPHAN}; git replace HEAD $(git ${WHO} commit-tree HEAD^{tree} -p $old -m lie); git push origin main; git push -f origin main`,
  ),
  'a ref that shows another commit in the place of one': push(
    `old=$(git rev-parse HEAD); echo planted > index.js; git add index.js; new=$(git ${WHO} commit-tree $(git write-tree) -m x); git push -q origin "$new:refs/replace/$old"; git replace $old $new; git push -q origin "refs/replace/*"`,
    {
      shows: (world) => {
        const shown = world.owner(`git --git-dir=${remoteOf(world)} show main:index.js`).trim();
        if (shown !== 'planted') return undefined;
        world.owner(`rm -rf ${remoteOf(world)}; cp -a ${remoteOf(world)}.kept ${remoteOf(world)}`);
        return 'the remote shows another commit';
      },
      bare: true,
    },
  ),
  'a history that is made up': push(
    `old=$(git rev-parse HEAD); ${ORPHAN}; mkdir -p .git/info; echo "$(git rev-parse HEAD) $old" > .git/info/grafts; git push origin main; rm .git/info/grafts; git rev-parse HEAD > .git/shallow; git push -f origin main`,
  ),
});

const pushedAround: EscapeTheme = ({ mark, out, home }) => ({
  'a forged commit in the place of the real one': push(
    `old=$(git rev-parse HEAD); ${ORPHAN}; new=$(git rev-parse HEAD); git init -q /tmp/true; cp -r .git/objects /tmp/true/.git/; ${python(
      `import subprocess,zlib,os
g=lambda *w: subprocess.run(['git',*w],capture_output=True).stdout
new=g('rev-parse','HEAD').decode().strip(); old=g('rev-parse','origin/main').decode().strip()
body=g('cat-file','commit',new).replace(b'\\nauthor',b'\\nparent '+old.encode()+b'\\nauthor',1)
f='.git/objects/'+new[:2]+'/'+new[2:]; os.chmod(f,0o600)
open(f,'wb').write(zlib.compress(b'commit %d\\0' % len(body)+body))`,
    )}\ngit push -f origin main; r=$(git remote get-url origin); cd /tmp/true && git push -f "$r" $new:refs/heads/main`,
    { needs: '/usr/bin/python3' },
  ),
  'what is written into the folder itself': push(
    `r=$(git remote get-url origin); git --git-dir="$r" update-ref -d refs/heads/anna/wip; rm -rf "$r/refs" "$r/packed-refs"; mv "$r" "$r.x"; : > "$r/packed-refs"; GIT_EXEC_PATH=/run/hermes/git-core git push origin :anna/wip; git push --receive-pack=/run/hermes/git-core/git-receive-pack origin :anna/wip; /run/hermes/git-core/git-receive-pack "$r" </dev/null`,
    bare,
  ),
  'a hook for the remote': push(
    `r=$(git remote get-url origin); printf '#!/bin/sh\\ntouch ${mark}\\n' > "$r/hooks/update"; chmod +x "$r/hooks/update"; mkdir h; printf '#!/bin/sh\\ntouch ${mark}\\n' > h/update; chmod +x h/update; git --git-dir="$r" config core.hooksPath $PWD/h; echo $PWD/.git > "$r/commondir"; GIT_DIR=$PWD/.git GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=$PWD/h git push origin main:new`,
  ),
  'a push into a repository that is no remote': push(
    `for r in ${out}/other.git ${home} ${out}/app.git/../other.git; do git push "$r" main; /run/hermes/bin/git-ssh --folder "$r" </dev/null; done; git remote add x ${out}/other.git; git push x main; git remote set-url origin ${out}/other.git; git push origin main`,
    { shows: (world) => world.owner(`git --git-dir=${out}/other.git for-each-ref`).trim() || undefined },
  ),
  'ref updates that are read in two ways': push(
    say(
      `line(fine+caps)+line(gone)+b'0000', line(gone.upper()+caps)+b'0000', line(fine+caps)+line(gone)+b'0001', line(fine+caps+b'\\0'+gone)+b'0000', line(fine+b'\\n'+gone+caps)+b'0000', line(fine+caps)+b'0004'+line(gone)+b'0000', line(b'push-cert'+caps)+line(gone+b'\\n')+line(b'push-cert-end\\n')+b'0000', line(b'shallow '+old)+line(gone+caps)+b'0000', b'0000'+line(gone+caps)+b'0000', line(gone+caps), line(fine+b'\\0 report-status push-options')+b'0000'+line(gone)+b'0000'`,
    ),
    { needs: '/usr/bin/python3' },
  ),
});

/** To take something away that others have at a remote. It is made once: sessions know the remotes they began with. */
export const lostAtRemote: EscapeTheme = (world) => {
  const before = createRemote(world);
  const isLost: Attempt['shows'] = () => {
    const lost = findLoss(world, before);
    // Where it came off, the next attempt finds everything again.
    if (lost !== undefined) world.owner(`rm -rf ${remoteOf(world)}; cp -a ${remoteOf(world)}.kept ${remoteOf(world)}`);
    return lost;
  };
  return Object.fromEntries(
    Object.entries({ ...losingPushes(world), ...pushedAround(world) }).map(([name, attempt]) => [
      name,
      typeof attempt === 'string' ? attempt : { shows: isLost, ...attempt },
    ]),
  );
};
