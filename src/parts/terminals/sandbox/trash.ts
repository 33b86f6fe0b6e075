import { quoteShellWord } from '../../../base/shell.ts';

/** More than this is deleted for good, as `rm` would: a copy of it would cost more than it is worth. */
export const MAX_TRASHED = 64 * 1024 * 1024;

export interface TrashShim {
  /** The program it stands before. */
  readonly rm: string;
  /** Only what lies below these is kept; the rest of a sandbox is gone at its end anyway. */
  readonly roots: readonly string[];
  /** Where commands find it. */
  readonly trash: string;
  readonly maxBytes?: number;
}

/**
 * `rm` as commands find it in a sandbox: copies what is named into the trash, then lets the real one do what it was asked
 * to, with its words and its exit code. What is still there afterwards is taken out of the trash again. It copies and does
 * not move, because the trash is another mount, and no name can be moved across those.
 */
export const createRmShim = ({ rm, roots, trash, maxBytes = MAX_TRASHED }: TrashShim): string => `#!/bin/bash -p
rm=${quoteShellWord(rm)} trash=${quoteShellWord(trash)} most=${maxBytes}
roots=(${roots.map(quoteShellWord).join(' ')})
folders= names= operands=() kept=() paths=()
for word; do
  if [[ -z $names && $word == -?* ]]; then
    case $word in
      --) names=1 ;;
      --help | --version) exec -a rm "$rm" "$@" ;;
      --r* | --d*) folders=1 ;;
      --*) ;;
      *[rRd]*) folders=1 ;;
    esac
  else operands+=("$word"); fi
done
json() {
  local text=\${1//\\\\/\\\\\\\\}
  text=\${text//\\"/\\\\\\"} text=\${text//$'\\n'/\\\\n} text=\${text//$'\\t'/\\\\t} text=\${text//$'\\r'/\\\\r}
  printf '"%s"' "$text"
}
keep() {
  local name=\${1%/} above path root bytes place
  [[ -e $name || -L $name ]] || return
  [[ -n $folders || ! -d $name || -L $name ]] || return
  case \${name##*/} in '' | . | ..) return ;; esac
  above=. && [[ $name == */* ]] && above=\${name%/*}/
  above=$(cd -P -- "$above" && pwd && echo x) && above=\${above%?x} || return
  path=\${above%/}/\${name##*/}
  for root in "\${roots[@]}"; do [[ $path == "$root"/* ]] && break; root=; done
  [[ -n $root ]] || return
  if [[ -d $name && ! -L $name ]]; then bytes=$(timeout 5 du -sk -- "$name") || return; bytes=$((\${bytes%%[!0-9]*} * 1024))
  else bytes=$(stat -c %s -- "$name") || return; fi
  ((bytes <= most)) || return
  printf -v place '%s/%(%Y%m%d)T/%s%05d%05d' "$trash" -1 "\${EPOCHREALTIME/[.,]/}" "$RANDOM" "$RANDOM"
  mkdir -p -- "$place" && cp -a --reflink=auto -- "$name" "$place/content" &&
    printf '{"path":%s,"at":%s,"bytes":%s}\\n' "$(json "$path")" "\${EPOCHREALTIME:0:10}\${EPOCHREALTIME:11:3}" "$bytes" >"$place/meta.json" ||
    { "$rm" -rf -- "$place"; return; }
  kept+=("$place") paths+=("$path")
}
for word in "\${operands[@]}"; do keep "$word" 2>/dev/null </dev/null; done
(exec -a rm "$rm" "$@")
code=$?
for i in "\${!kept[@]}"; do [[ ! -e \${paths[i]} && ! -L \${paths[i]} ]] || "$rm" -rf -- "\${kept[i]}"; done
exit "$code"
`;
