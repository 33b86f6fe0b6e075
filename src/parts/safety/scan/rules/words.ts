import { lazy } from '../../../../base/lazy.ts';

/** One way in which English words order the model about. Read over prose (`text/prose.ts`): lower case, single blanks. */
export interface PhraseRow {
  readonly threat: string;
  readonly pattern: RegExp;
  /** What excuses it, right before the words or right after them. */
  readonly before: readonly RegExp[];
  readonly after: readonly RegExp[];
  /** Their names. */
  readonly excuses: readonly string[];
}

/** Word lists that rows name in braces. */
const LISTS: Readonly<Record<string, string>> = {
  DROP: '(?:ignor(?:e|ing)|disregard(?:ing)?|forget|discard|abandon|overrid(?:e|es|ing)|overrule|set aside|pay no (?:heed|attention) to|stop following|(?:do not|don.t|no longer) (?:follow|obey)|throw out|scrap|bypass|erase)',
  PRIOR: '(?:previous|prior|above|earlier|preceding|former|existing|original|past|foregoing)',
  ALL: '(?:all|any|every|your|my|the|these|those|of|other|and|system|safety|security|developer|default|initial|core|user|custom|built-in)',
  ORDERS: '(?:instructions?|directions?|directives?|orders|guidelines?|guidance|rules?|prompts?|policies|constraints|commands|messages)',
  GUARDS:
    '(?:restrictions?|limits?|limitations|rules|safeguards?|guardrails?|safety (?:rules|checks|measures|guidelines|filters)|filters|ethical guidelines|boundaries)',
  USER: '(?:the|your|any|its) (?:users?|owners?|human|person|operator|customer)',
  SECRETS:
    '(?:api keys?|credentials|passwords?|secrets|every secret|(?:access |session |auth )?tokens?|private keys?|(?:values|contents) of (?:all )?(?:the )?environment(?: variables)?|\\.env\\b|ssh keys?|~/\\.(?:ssh|aws|netrc|pgpass|gnupg)|id_rsa|id_ed25519)',
  TALK: '(?:(?:the |this |our |a )?(?:whole |entire |full )?(?:conversation|transcript|dialogue|chat (?:history|log)|session (?:history|log))|every prompt|everything the user|what(?:ever)? the user (?:says|said|asked|types|typed)|user.?s? (?:messages|prompts))',
  SEND: '(?:send|post|upload|mail|e-?mail|forward|submit|exfiltrate|transmit|report|push|paste|copy|pipe|attach)',
  PLACE: '(?:https?://(?!localhost|127\\.)|[\\w.+-]{1,40}@[a-z\\d-]{1,40}\\.[a-z])',
};

/** Up to so many words in between: ` <4> `. Words and the signs between them have no letter in common, so it reads on in one pass. */
const gap = (most: string): string => String.raw`(?:[ ,"'():;-]{1,4}[^ ,"'():;\n.!?-]{1,40}){0,${most}}?[ ,"'():;-]{1,4}`;

const build = (source: string): RegExp =>
  new RegExp(
    source
      .replaceAll(/\{([A-Z]+)\}/g, (_, name: string) => LISTS[name] ?? '')
      .replaceAll(/ <(\d+)> | /g, (_, most: string | undefined) => (most === undefined ? BLANK : gap(most))),
    'g',
  );
const BLANK = String.raw`[ ,"']{1,4}`;

/** The sentence forbids it, or tells of attempts at it. */
export const FORBIDDEN =
  /(?:\bnever|\bnot|n.t|\bno|\bwithout|\brefuse to|\b(?:tries|attempts?|try|tells? you|asks? you|orders?) to|\bmust be able to)(?:[ "']{1,3}(?!hesitate|forget|fail|only|just|and|then|but)[\w'-]{1,20}){0,3}[ "']{1,3}$/;
/** What makes the same words harmless when it stands right before them, or right after them. */
export const BEFORE: Readonly<Record<string, RegExp>> = {
  // Told of as an example.
  described: /(?:such as|phrases? like|called|says?|e\.g\.|example:?)[ ,"']{1,3}$/,
  // `Users can upload …`: somebody else does it.
  actor:
    /\b(?:users?|customers?|members?|guests?|clients?|workers?|services?|servers?|apps?|scripts?|jobs?|exporter|buttons?|scheduler)(?: \w{1,12}){0,3} $/,
  condition: /(?:if|whether|when|unless|that) $/,
  // `For 2.x, ignore the instructions above`.
  version: /(?:\bversion \d|\b\d{1,3}\.(?:\d|x)|\b(?:users|on) [\w ]{0,20}(?:can|may))[^.\n]{0,40}$/,
  quoted: /"[^"\n]{0,60}$/,
  system: /system[^\n]{0,40}$/,
};
export const AFTER: Readonly<Record<string, RegExp>> = {
  by_version: /^[^.\n]{0,30}(?:\b\d|version)/,
  // Instructions that a page or an issue holds are not the model’s own.
  foreign:
    /^["']?[ ,]{1,2}(?:(?:that|which|you) (?:may |might )?(?:appears?|finds?|meet|see)|found|in|inside|within|embedded|contained|from|on (?:an?|the)|there)\b/,
  of_others: /^ (?:of|for|that|which|found|in|from|on|there)\b/,
  // Keeping a product’s internals from its users is manners; keeping from them what was done is not.
  manners:
    /^ (?:to\b|about (?:the )?(?:internal|technical|implementation|host|table|library|stack|database|error|deprecated)|(?:the|an?|any|its|their) (?!\w{1,20} (?:was|were|is|are|has|have|had|will)\b)(?:internal|solution|answer|password|id\b|price|reason|ending|result)|internal|that (?:everything|all|it|they|the (?:tests?|build|change)|tests) (?:\w{1,10} )?(?:works?|worked|pass(?:es|ed)?|succeeded|succeeds|is|are) ?(?:fine|done|green|well|ok)?\b)/,
  secrets: /^[^.\n]{0,40}\bsecrets?\b/,
  product: /^ ?(?:of|from|lives|for|path|file|with make|when|to customers)\b/,
  checked: /^[^\n]{0,20}\b(?:check|on the result|against)/,
  asked: /^[^\n]{0,40}\b(?:when the user asks|ticket)|^ of (?:the )?meeting/,
  dummies: /^[^.\n]{0,20}(?:in tests|are fake)|^\//,
};

/** Class, words, and what may excuse them. */
const ROWS = String.raw`
prompt_injection :: {DROP} (?:{ALL} ){0,4}{PRIOR} (?:{ALL} ){0,3}{ORDERS}\b :: described
prompt_injection :: {DROP} (?:{ALL} ){0,3}(?:all|your|system|my) (?:of )?(?:{ALL} ){0,2}{ORDERS}\b :: described foreign
prompt_injection :: {DROP} (?:{ALL} ){0,3}{ORDERS} (?:above|before this|given (?:so far|earlier|before)|(?:that )?you (?:were|have been|had been) given|you (?:have )?received) :: version
prompt_injection :: {DROP} (?:everything|anything|whatever|all|what) (?:that )?(?:you (?:were|have been|had been) (?:told|given|taught)|came before|above)\b :: quoted
disregard_rules :: (?:(?:disregard|pay no heed to) (?:of )?(?:your|all|any)|ignore any) (?:{ALL} ){0,2}{ORDERS}\b :: of_others
prompt_injection :: (?:(?:your|all|{PRIOR}) (?:{ALL} |{PRIOR} ){0,3}{ORDERS}|(?:{ORDERS}|text|anything|everything|what) you (?:read|received|(?:were|have been) (?:given|told))|the system.prompt)(?: <5> | )(?:void|null|revoked|suspended|retired|disregarded|lifted|waived|withdrawn|forge(?:d|ry)|counterfeit|fake|planted|tampered|impostor|(?:by|from) an? (?:attacker|intruder|hacker)|no longer (?:valid|apply|applies|count|bind|hold))\b :: by_version
sys_prompt_override :: system.prompt <1> (?:overrid(?:e|den)|replaced|superseded|suspended|revoked|void|update:)
sys_prompt_override :: (?:overrid(?:e|es)|replaces?|supersedes?) (?:{ALL} |{PRIOR} ){0,3}system (?:prompt|message|instructions) :: foreign
sys_prompt_override :: (?:^|\n)\W{0,8}(?:system|admin(?:istrator)?|policy|operator|developer)(?: (?:notice|message|policy|update|override)){0,2}(?:[:\]]|\b[^\n]{0,40}:)[^\n]{0,60}\b(?:the assistant|assistants|agents?|the model|you)(?: <2> | )(?:must not (?:show|tell|report)|conceals?|hides?|withholds?|hide|keeps? <3> from|do not (?:show|tell|report)|no longer|ignores?)\b :: secrets
bypass_restrictions :: act as (?:if|though) you (?:had|have|were|are|do not|don.t|did not|didn.t) <2> {GUARDS}
bypass_restrictions :: (?:you (?:now )?have no|no longer bound by (?:any|your)|(?:disable|turn off|switch off|remove|lift|bypass) (?:all |any )?(?:your|its)(?: own)?) (?:safety |ethical |content )?{GUARDS}\b :: foreign
role_hijack :: you are (?:now|no longer|an?) <6> (?:(?:without (?:any )?|no |free of (?:all )?)(?:{GUARDS}|ethics)|unrestricted|jailbroken|uncensored|an? (?:ai )?(?:assistant|language model)\b|dan\b|hacker|attacker in) :: condition foreign
identity_override :: (?:your (?:true|real|new) (?:name|master|owner|loyalty|employer|boss|principal|identity) (?:is|are|lies|belongs)|(?:real|new) owner (?:is|writes)|(?:serve|obey|answers? to) <8> only (?:me|him|them|not)|takes? no orders from {USER})
deception_hide :: (?:do not|don.t|never|must not|should not|shall not|not to) (?:tell|inform|notify|alert) {USER}(?! interface) :: manners
deception_hide :: (?:hides?|conceals?|withholds?|keeps?) (?:from {USER} (?:what|which|that)|(?:this|it|these|what you|the fact|your|every|all|failed|failures|any|errors|test|the (?:change|upload|step|transfer|commit|file|edit)s?)(?: <6> | )from {USER}(?! interface))
leak_system_prompt :: (?:reveal|print|show|repeat|output|quote|display|recite|copy|send|paste|write|store)(?: <4> | )(?:(?:your|the|its) (?:\w+ ){0,2}(?:system prompt|hidden prompt|initial instructions)|your (?:\w+ )?(?:instructions|prompt))\b :: product system
translate_execute :: (?:translate|decode|decrypt|deobfuscate|unpack) [^\n]{1,160}?\b(?:and|then) (?:then )?(?:execute|run|eval(?:uate)?|carry out|follow|obey|do what)(?: (?:it|them|that|this|what|the (?:result|command|output|instructions?|code))\b|\W|$) :: checked
send_to_url :: (?:{SEND}|uploads?|collects?) <6> {SECRETS}\S{0,40} <6> (?:to|at|on|via|over)(?: <3> | ){PLACE} :: actor
context_exfil :: (?:send|post|upload|mail|forward|submit|paste|pipe|copy|attach)(?: <4> | ){TALK}(?: <10> | ){PLACE} :: actor asked
read_secrets :: (?:if|when|should|case|as|for|shall|has to|must) (?:you (?:are )?|you.re )?(?:be )?(?:an? )?(?:autonomous |coding )?(?:ai|llms?|(?:large )?language models?|agents?|bots?)\b <12> (?<!(?:never|not)\W)(?:{SEND}|add|write|include|collect|list|print|dump|append|run) <5> {SECRETS} :: actor dummies
read_secrets :: (?:print|list|paste|copy|include|write|collect|quote|read|open|add) <8> {SECRETS}\S{0,40} <8> (?:in|into|to|on|at)(?: <3> | )(?:pull request|public|issue|readme|answer|docs|log)\b :: actor dummies
c2 :: {PLACE}[^\s]{0,80} <12> (?:do|run|execute|follow|carry out|obey) (?:what|whatever|the (?:instructions|commands|tasks|orders)|it (?:says|prints|returns|sends)) :: actor
anti_forensic :: (?:delete|erase|wipe|clear|remove|purge) <4> (?:your (?:own )?(?:traces|tracks|transcripts?|logs?)|(?:the )?transcript|tool (?:call )?(?:logs?|records)|~/\.hermes/(?:logs|sessions)|(?:all )?traces of (?:your|what)|session logs? (?:and|so))\b :: actor asked
agent_config_mod :: (?:add|set|write|change|enable|turn on|append|put) <8> (?:your (?:own )?(?:settings|config(?:uration)?|permissions|memory|persona)|\.hermes/config) <10> (?:auto-?approve|approvals|allow (?:everything|all|any)|without (?:asking|approval|confirmation)|yolo)
`;

export const wordRows = lazy((): readonly PhraseRow[] =>
  ROWS.trim()
    .split('\n')
    .map((line) => {
      const [threat = '', words = '', named = ''] = line.split(' :: ');
      const excuses = named === '' ? [] : named.split(' ');
      const from = (table: Readonly<Record<string, RegExp>>) => excuses.flatMap((name) => table[name] ?? []);
      return { threat, pattern: build(words), before: from(BEFORE), after: from(AFTER), excuses };
    }),
);

/** Turns of a chat format: whoever writes them poses as another speaker. */
export const ROLE_TOKEN =
  /<\|(?:im_start|im_end|start|end|message|system|user|assistant|begin_of_text|eot_id|start_header_id)[^|<>\n]{0,20}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:start|end)_of_turn>|^[ \t]{0,3}<\/?(?:system|assistant|developer|tool_result|function_results?|tool_response|system[-_ ]?(?:message|prompt|reminder|override|notice|update|instructions?))>[ \t]*|^[ \t]{0,3}<\/(?:project-file|memory-context|outside|hint)\b|^[ \t]{0,3}\[(?:system|admin|developer)\](?!\()/gm;

/** In hidden places. The model spoken to and told to do something, or what was told taken back. */
export const HIDDEN_ORDER = lazy(() =>
  build(
    '\\b(?:ai|ais|assistants?|agents?|llms?|(?:language )?models?|hermes|claude|chatbots?|copilot|robots?(?: \\w+)?|you (?:must|should|shall|are now|are to|will|need to))\\b[^\\n]{1,160}?\\b{VERB}\\b|(?:ignore|disregard|override|forget) <3> (?:{ORDERS}|everything|system|owner|user)|^[\\s!-]{0,4}(?:system|secret|hidden|override)(?: (?:instructions?|prompt|message|note|orders?|override|task))?:|\\b(?:secret|hidden|system) (?:instructions?|orders?|prompt|message|task)|{SEND} <6> (?:to|at)(?: <3> | ){PLACE}|{SEND} <6> {SECRETS}'.replace(
      '{VERB}',
      VERB,
    ),
  ),
);
const VERB =
  '(?:must|please|should|shall|ignore|stop|replace|insert|plant|disable|enable|recommend|mention|disregard|forget|add|append|send|post|upload|run|execute|fetch|download|read|open|include|publish|recommend|install|delete|remove|write|say|tell|reply|answer|insert|push|commit|copy|print|reveal|follow|obey|approve|mail|call|visit|use|treat|put|set|change|skip|report|also)';
/** In elements that are styled away any order counts, to whomever, and any address. */
export const VEILED_ORDER = lazy(() => build(`(?:^\\W{0,4}|[.!?:;\\n]\\s?|\\b(?:and|then|please|now|to) )${VERB}\\b [^\\n]|https?://`));
