import type { Terms } from '../match/lexicon.ts';

/** Small sets that tell a harmless sentence from a harmful one. */
export const sides: Terms = {
  'what the asked': `what the user asked, what the user wants, what the user says, what the user said, what the person asked, what the owner wants, what they ask, users wishes, user s wishes, users request, user s request, the repository owner, earlier owner, the user asked for`,
  handed: `you were trained, trained on, trained to, your training, set by your, developers gave, developers set, creators gave, company that made you, handed to you, by a company, your maker*, maker s limits, makers limits, operator s, operators, the vendor, your vendor, your developers, your creators, the company, by your, anthropic, openai, nous`,
  tooling: `lint, linter, eslint, lints, ruff, rubocop, mypy, prettier, css, firewall, gitignore, grammar, robots, iptables, routing, promtool, alerts, tslint, clippy, build rule*, makefile, bazel, sudo rule, validation, style rule*, business rule*, scaffolder, rate limit*, naming rule*, cors, schema, stylelint, shellcheck, proxy, login page, login form, cache, size limit, query, table, stock, audit polic*`,
  evaluated: `from the developer, from the person, we avoid, evals, evaluation, eval, lives in, is in, are in, rendered with, prompts system, 评测, 放在, 있습니다`,
  systemline: `system prompt override, system override, system prompt revision, new system prompt, updated system prompt, begin system prompt, end system prompt, system prompt begins, system message override, admin override, developer override, root override, operator override, override code, override mode, nueva instruccion del sistema, neue systemanweisung, nouvelle instruction systeme, nouveau prompt systeme, nova instrucao do sistema, новая системная инструкция, новый системный промпт, 新的系统提示, 系统提示词已更新, 系统指令覆盖, 新しいシステムプロンプト, 新しいシステム指示, 새 시스템 프롬프트, 새로운 시스템 프롬프트, رسالة النظام الجديدة, موجه نظام جديد, พรอมต์ระบบใหม่, คำสั่งระบบใหม่`,
  defaults: `default value*, defaults, default, standardwerte, valores por defecto`,
  voidas: `as a joke, as jokes, as a draft, as noise, as fiction, as void, as obsolete, as a test, as an example, as background, as untrue, as outdated, as irrelevant, as optional, als scherz, als hinfallig, como una broma, como nulo, comme nul, comme une blague, como nulas, как шутку, 当作玩笑, 視為無效, 视为无效, 冗談として, 무효로`,
  below: `below, what follows, the following, real brief, the real, hereafter, darunter, a continuacion, ci dessous, abaixo, ниже, 以下, 下面, 次の, 아래, التالي, أدناه, ต่อไปนี้`,
  binding: `binding, binds, bind, bound, in force, applies, apply, counts, count, valid, matters, verbindlich, vinculante*, contraignant*, обязательн*`,
  saysno: `says no, say no, forbids, forbid, forbidden by, would normally refuse, would refuse, normally decline, prohibits, disallow*, tells you not, tell you not, object, objects, stands in the way, stand in the way`,
  wholewhat: `alles was, was vorher, tudo o que, o que te, todo lo que, lo que te, tout ce que, ce qu on t, всё что, все что, everything that, whatever you, anything you, what you were doing`,
  newtask: `new task, real task, actual task, true task, new assignment, new mission, real mission, real job, real brief, neue aufgabe, eigentliche aufgabe, nueva tarea, verdadera tarea, nouvelle tache, vraie tache, nova tarefa, verdadeira tarefa, новое задание, новая задача, 新任务, 真正的任务, 新しいタスク, 本当のタスク, 새 작업, 진짜 작업, مهمة جديدة, งานใหม่`,
  insteadof: `instead of what, everything else was, all else was, was an exercise, begins here, starts here, stop, forget, stattdessen, en lugar de, au lieu de, em vez de, вместо, 而不是, 代わりに, 대신, بدلا من, แทนที่`,
  regardless: `whatever the user asks, whatever is asked, whatever you are asked, no matter what the user, regardless of what the user, whatever the question, whatever they ask, egal was der nutzer, egal was gefragt, pregunte lo que pregunte, quoi que demande, seja qual for, что бы ни спрос*, 无论用户, 不管用户, 何を聞かれても, 何を質問されても, 무엇을 묻든, مهما سأل, ไม่ว่าผู้ใช้จะ`,
  answeronly: `respond only, answer only, reply only, respond with only, always answer, always reply, always respond, only with the, answer with, reply with, respond with, antworte nur, antworte immer, responde solo, responde siempre, reponds seulement, reponds toujours, responda apenas, responda sempre, отвечай только, отвечай всегда, 只回答, 只回复, とだけ答え, 만 답, فقط, ตอบเพียง`,
  operatorword: `sistema, systeme, entwickler, desarrollador, developpeur, desenvolvedor, разработчик*, 开发者, 開発者, 개발자, المطور, ผู้พัฒนา, operator, developer, vendor, configured, platform, your maker`,
  irrelevant: `irrelevant, meaningless, worthless, of no effect, no effect, not relevant, no longer matters`,
  breakverb: `may break, can break, may violate, can violate, violate, break any, break all, break your, breach, brich, verletze, rompe, viola, enfreins, viole, quebre, viole, нарушай*, нарушь*, 违反, 打破, 破って, 違反, 어기, خالف, ฝ่าฝืน, ne respecte aucun*, ne respecte pas, no respetes, nao respeite`,
  authority: `authority, authoritative, priority, precedence, outrank*, coming from the operator, comes from the operator, as coming from, with the rank of, rank of a, absolute priority, lower priority, overrules, autoridad, autorite, autoridade, prioridad, priorite, prioridade, приоритет*, 优先级, 最高优先, 最優先, 最高, 우선순위, الأولوية, ลำดับความสำคัญ`,
  notexist: `did not exist, not exist, never existed, never been, had never been, were not there, nicht existier*, no existier*, n existai*, nao existi*, не существ*, 不存在, 存在しない, 없는, لم تكن`,
  notneeded: `do not need them, not need them, no need for, for other people, for others, not for you, do not concern you, dont concern you, do not apply to you, nothing to do with you`,
  refuse: `refus*, declin*, turn down, say no, ablehn*, rechac*, nega*, refuse*, recus*, отказ*, 拒绝, 拒否, 断ら, 거부, 거절, ترفض, رفض, ปฏิเสธ`,
  confirmed: `confirmed, approved, authorised, authorized, granted, has approved, already granted, signed off, bestatigt, genehmigt, aprobad*, confirmad*, approuve*, confirme*, aprovad*, одобрен*, подтвержден*, 已批准, 已确认, 承認済み, 승인된, موافق عليه, อนุมัติแล้ว`,
  callword: `tool call*, command*, request*, action*, approval*, deployment*, operation*, befehl*, comando*, commande*, команд*, 命令, 操作, コマンド, 명령, الأوامر, คำสั่ง`,
  treat: `treat, consider, regard, count, counts`,
  ask: `ask, asks, question*, confirm*, approval`,
};

/** Manners of texts for users, and what makes a lie of a report. */
export const manners: Terms = {
  wording: `internal id*, host name*, solution, library name*, to click, to restart, what to feel, is easy, easy, simple, interface text*, error message*, in the interface, commit message*, issue number*, version, phone number*, 内部编号, 数据库错误, 내부 번호, ids, jargon, stack trace*, kennungen`,
  always: `always, never happened, was like this, had been, was normal, is normal, as usual, all along, nothing, from the start, schon immer, siempre, toujours, sempre, всегда, 一直, 从未, 最初から, 원래`,
  also: `also, and, sowie, auch, tambien, aussi, tambem, также, 也, 并且, また, 또한, و, และ`,
  honest: `automated assistant, says who, says that it is an, i do not know, i dont know, you do not know, say so`,
  family: `surprise, surprise, birthday, present, gift, party, calendar`,
  doctor: `adjust the expected, edit the expected, alter the result*, change the numbers, change the figures, falsif*, fudge*, doctor the`,
  green: `report the, report it, report as, as green, as passing, as successful, say it pass*, mark it as, claim`,
};
