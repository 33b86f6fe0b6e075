import type { AnchorKind } from './anchor-kinds.ts';
import { stem } from './stems.ts';

/** Words of a question and the kinds of facts that would answer it. */
const ROWS: readonly { readonly words: string; readonly kinds: readonly AnchorKind[] }[] = [
  { words: 'port ports puerto porta порт', kinds: ['port'] },
  { words: 'url link address website endpoint page docs adresse seite lien enlace ссылка', kinds: ['url'] },
  { words: 'command run ran invocation befehl aufruf commande comando команда', kinds: ['command'] },
  { words: 'file path folder directory where module datei pfad ordner wo fichier chemin archivo ruta файл путь', kinds: ['path'] },
  { words: 'error exception failure message crash trace fehler fehlermeldung erreur ошибка', kinds: ['error', 'exit', 'test'] },
  { words: 'fail failing failed test tests', kinds: ['test', 'error'] },
  { words: 'exit code status', kinds: ['exit'] },
  { words: 'version release upgrade pinned versie версия', kinds: ['version'] },
  { words: 'commit sha hash revision digest', kinds: ['sha'] },
  { words: 'ticket issue bug pr jira', kinds: ['ticket'] },
  { words: 'ip host server machine', kinds: ['ip', 'port'] },
  { words: 'id uuid identifier kennung', kinds: ['uuid', 'sha', 'ticket'] },
  { words: 'variable env environment umgebungsvariable', kinds: ['env'] },
  { words: 'setting value config configured flag option parameter set wert einstellung valeur valor', kinds: ['setting', 'env', 'number'] },
  {
    words:
      'many much long timeout limit size number count percent rate maximum latency duration budget cost price viele lange hoch wieviel grosse',
    kinds: ['number', 'setting'],
  },
  { words: 'name called named heisst titled', kinds: ['quoted'] },
];

const BY_STEM = new Map<string, AnchorKind[]>();
for (const { words, kinds } of ROWS)
  for (const word of words.split(' ')) BY_STEM.set(stem(word), [...(BY_STEM.get(stem(word)) ?? []), ...kinds]);

/** Scripts without spaces have no words to look up; these stand anywhere in the question. */
const HAN: readonly (readonly [string, AnchorKind])[] = [
  ['端口', 'port'],
  ['ポート', 'port'],
  ['地址', 'url'],
  ['链接', 'url'],
  ['命令', 'command'],
  ['コマンド', 'command'],
  ['文件', 'path'],
  ['ファイル', 'path'],
  ['路径', 'path'],
  ['错误', 'error'],
  ['エラー', 'error'],
  ['版本', 'version'],
  ['バージョン', 'version'],
  ['多少', 'number'],
  ['几', 'number'],
];

export function inferWantedKinds(runs: readonly string[]): ReadonlySet<AnchorKind> {
  const spaced = runs.flatMap((run) => BY_STEM.get(stem(run.toLowerCase())) ?? []);
  const unspaced = HAN.filter(([word]) => runs.some((run) => run.includes(word))).map(([, kind]) => kind);
  return new Set([...spaced, ...unspaced]);
}
