/** Words a question is built of; they say nothing about what is looked for. Folded: without accents. */
const LISTS = [
  // English
  `a an the this that these those it its there here i me my mine we us our you your he she they them their one
   what which who whom whose when where why how whether is are was were be been being am do does did done has have had having
   will would shall should can could may might must of in on at to for from by with about into onto over under as than then
   and or but not no nor so if because while during after before again exactly precisely currently now still ever
   tell remind remember recall please give show find say said told mention mentioned earlier previously`,
  // German
  `der die das den dem des ein eine einen einem einer eines dies diese dieser dieses es ich du er sie wir ihr mich mir dich dir uns euch
   was welche welcher welches welchen welchem wer wen wem wessen wann wo warum wieso weshalb wie ob ist sind war waren sein gewesen
   bin hat haben hatte hatten wird werden wurde wurden kann konnte soll sollte sollen muss musste darf von in im an am auf zu zum zur fur
   aus bei beim mit nach uber unter vor als und oder aber nicht kein keine so wenn weil dass denn noch jetzt genau bitte sag nochmal`,
  // French
  `le la les un une des du de ce cet cette ces il elle on nous vous ils elles je tu mon ma mes notre votre leur que quel quelle quels quelles
   qui quoi quand ou pourquoi comment est sont etait ete etre a ai as avons avez ont avait dans sur sous pour par avec sans et mais ne pas
   au aux en se sa son`,
  // Spanish, Portuguese, Italian
  `el los las unos unas lo al del que cual cuales quien cuando donde por como es son era fue ser esta estan este esto ese y o pero no si
   para con sin en su sus se nos os dos das nos nas um uma uns umas qual quais quem quando onde porque foi sao esta com sem em no na ao seu sua
   il gli uno che quale quali chi dove perche sono stato della dello dei delle nel nella di da per con e`,
  // Russian
  `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня о из ему какой какая какое
   какие где когда почему кто чем мы был была были есть это этот эта для`,
];

export const STOP_WORDS: ReadonlySet<string> = new Set(
  LISTS.join(' ')
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words that stand for one another often enough to look for the others too. Stems are made of them where they are used. */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['error', 'failure', 'exception', 'failed', 'fehler', 'fehlermeldung', 'erreur'],
  ['decide', 'decision', 'chose', 'choose', 'agreed', 'entschieden', 'entscheidung', 'settled'],
  ['folder', 'directory', 'dir', 'ordner', 'verzeichnis'],
  ['file', 'datei', 'path', 'pfad', 'fichier'],
  ['delete', 'remove', 'drop', 'loschen'],
  ['database', 'db', 'datenbank'],
  ['config', 'configuration', 'setting', 'settings', 'einstellung', 'konfiguration'],
  ['repo', 'repository'],
  ['environment', 'env', 'umgebung'],
  ['variable', 'env', 'var'],
  ['authentication', 'auth', 'login'],
  ['password', 'passwort', 'secret', 'credential'],
  ['url', 'link', 'address', 'endpoint', 'adresse'],
  ['command', 'cmd', 'befehl', 'commande', 'ran'],
  ['version', 'release'],
  ['limit', 'maximum', 'max', 'cap', 'hochstens'],
  ['minimum', 'min', 'mindestens'],
  ['timeout', 'deadline', 'zeitlimit'],
  ['must', 'never', 'always', 'constraint', 'rule', 'require'],
  ['prefer', 'preference', 'want', 'like'],
  ['reason', 'because', 'cause', 'why', 'grund'],
  ['fix', 'fixed', 'solved', 'solution', 'resolve', 'gelost'],
  ['test', 'spec', 'suite'],
  ['branch', 'checkout'],
  ['commit', 'sha', 'hash', 'revision'],
  ['ticket', 'issue', 'bug'],
  ['server', 'host'],
  ['build', 'compile'],
  ['deploy', 'deployment', 'rollout', 'ship'],
  ['task', 'todo', 'goal', 'aufgabe'],
];
