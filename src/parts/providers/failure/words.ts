/** The lines of a template as the alternatives of a pattern. */
export const joinAlternatives = (raw: readonly string[]): string =>
  raw
    .join('')
    .trim()
    .split(/\s*\n\s*/)
    .join('|');

/**
 * What providers say, by meaning. All of it is matched against lower-case text. In a list each line, and each part between bars, is one
 * way of saying it.
 */
const phrases = ({ raw }: TemplateStringsArray): RegExp => new RegExp(joinAlternatives(raw), 'm');

/** Too much in too short a time. */
export const THROTTLE = phrases`
  rate.?limit|too many (requests|concurrent|tokens|connections)|throttl
  (tokens?|requests?|queries|quer(y|ies)|calls?) per (min|sec|hour|day)|\b[tr]p[md]\b|请求数限制|频率|频繁|限流|速率|并发
  concurren(t|cy) (requests? )?limit|request rate|\bqps\b|request limit reached|requests? (times|frequency)|frequency limit|quota exceeded for|resource (has been )?exhausted|slow down
`;

/** The host has no room for anybody just now. */
export const OVERLOAD = phrases`
  over ?load|(at|over|insufficient|no|not enough|exceeded) capacity|capacity (temporarily |currently )?(constraint|limit|exceeded)
  (too|model|server|service|is|currently) busy|high (traffic|demand|load)|(temporarily|currently) unavailable|访问量过大|负载
  繁忙|过载|拥挤|no available (model )?(provider|channel|server|instance|worker)|being (warmed|loaded|scaled)|loading model
  model is (currently )?loading|pending requests exceeded|queue is full|try again soon
`;

/** Money. */
export const BILLING = phrases`
  insufficient (credits?|balance|funds|account balance|quota)|credit balance
  (balance|credits?|quota|funds) (is |are |has been |have been )?(too low|not enough|insufficient|exhausted|depleted|used up|run out)
  out of (credits?|funds|extra usage)|no (remaining|usable|available|more) credits|no credits? (left|remaining|available)
  key limit exceeded|(does not|doesn't|do not|don't) have (any|enough|sufficient) (credits?|balance|quota|funds)
  monthly (included credits|spending)|exhausted.{0,20}free|payment (required|method|instrument)|payment_instrument
  billing (hard limit|to be enabled|is disabled|not active|account|issue)|top.?up|recharge|overdue|arrear
  in good standing|spend(ing)? (limit|cap)|budget (has been )?exceeded|purchase (more )?credits
  (used|exhausted) all available credits|requires (more|available) credits|usage limits.{0,40}regain access
  account (is )?(not active|deactivated|suspended due to)|token quota is not enough|余额|欠费|充值|额度|недостаточно средств
  free (tier|quota|trial).{0,40}(exhausted|ended|used up|not available|expired|only)
  subscription (has )?(expired|ended|required|is inactive)|no active subscription|membership|plan does not include
  account balance|over budget|limit of your plan|used all (of )?your credits|no (remaining|more) tokens|quota.{0,40} used up|not enough (balance|credits?|quota|funds|points)|budget (has been )?reached|(?<!session )usage limit reached|hit your usage limit|exceeded.?budget|inactive subscription|subscription or usage limit|trial (has )?(expired|ended)|资源包|用尽|用完|耗尽|请购买|后付费|套餐
`;

/** What a plan gives for a day, a week or a month is used up: no wait within a turn helps. */
export const ALLOWANCE = phrases`
  \ballowance|(free|daily|weekly|monthly) (\w+ )?(allocation|allotment)|(\/|per|a|each) month\b|next month|monthly (\w+ )?(quota|limit|usage|cap)|trial key
  safe experience mode|daily (\w+ )?(limit|quota|cap)( has been| is)? (reached|exceeded|exhausted|used up)|日调用|日流控|premium requests? left
  (used|exhausted|reached|exceeded) (up )?(all )?(of )?(your|the) (\w+ )?(free|subscription|plan|included)|limit: 0\b|free.{0,30}(quota|limit|requests?|calls?|usage).{0,30}\bda(y|ily)|daily free|(weekly|monthly|five.?hour|5.?hour) (usage )?(limit|quota|cap)|(本周|每周|每月|本月|5 ?小时).{0,8}(上限|限额|额度)
`;

/** Said of money by some and of a passing window by others. */
export const QUOTA = phrases`
  exceeded your (current |monthly )?quota|billing details|quota (is |has been )?(exceeded|exhausted|reached)
`;

/** Signs that waiting helps. */
export const TRANSIENT = phrases`
  try again (later|in|after)|retry (in|after)|resets? (at|in|on)|per (minute|min|hour|day|second)
  quota exceeded for metric|please wait|next period|\bwindow\b|5.?hour|daily|weekly
`;

/** What was said may not be said there. */
export const CONTENT = phrases`
  content.{0,20}(filter|policy|management policy|moderation|violat|inspection)|usage (policy|policies|guidelines)
  violat(es|ed|ing|ion).{0,40}(polic|guideline|terms|safety)
  (input|prompt|content|request|output) (was |is |has been )?(flagged|blocked|rejected)|flagged (for|as|by)
  safety (system|filter|check|reasons|policy)|high risk|inappropriate content|sensitive (content|information|words?)
  new_sensitive|prohibited (content|use)|harmful|敏感|违规|不安全|unsafe|cybersecurity risk|considered high|responsible ai
  exists risk
`;

/** The account's own settings rule out every host. */
export const POLICY = phrases`
  data policy|guardrail|privacy settings?|settings\/(privacy|guardrails)|zero data retention|\bzdr\b
`;

/** Opaque reasoning data is refused. */
export const SIGNATURE = phrases`
  (thinking|thought|reasoning|redacted_thinking).{0,80}(signature|cannot be modified|must remain)
  signature.{0,40}(thinking|thought|reasoning)|thought_signature
  encrypted.?content.{0,80}(verif|decrypt|invalid|pars|unmodified)|decrypt.{0,40}encrypted
  reasoning item.{0,60}(without|required following|not found)|item.{0,20}'?rs_
`;

/** Only whole answers are to be had. */
export const STREAMING = phrases`
  stream(ing)?(=true)?\b.{0,30}(not|isn't|n't) (be )?(supported|available|allowed|enabled|permitted)
  (un|not )supported for streaming|verified to stream|(does not|doesn't|do not|cannot|can't) (support )?stream(ing)?\b
  streaming (is )?(unsupported|disabled)|set stream to false|stream must be false|only (supports? )?non-?streaming
`;

/** Tool results must be plain text. */
export const TOOL_CONTENT = phrases`
  role.{0,6}tool.{0,200}(must be a string|image)
  tool (message|result|response|role)s?.{0,60}(must be (a )?(string|text)|only (support|text|accept)|string)
  only text tool_result|\x60?text\x60? is not set|tool_result.{0,60}(image|only text|string)
  expected (a )?string, (got|but got) (a |an )?(list|array)|input should be a valid string.{0,40}tool
  tool.{0,40}content.{0,40}(image|multimodal).{0,40}not
`;

/** An image is refused, or all are. */
export const IMAGE = phrases`
  \d images? but|(number|count) of images.{0,20}(exceed|limit|over)|image.{0,80}(exceeds?|too (large|big|many|small)|unsupported|not (supported|enabled|allowed|valid|available)|at most|restrictions|dimension|could not (be )?process|invalid|corrupt|may be provided|cannot be|resolution|not a multimodal)
  (unsupported|invalid|too many|at most \d+|could not process|unable to (process|download|decode)|failed to (process|decode|download|load)|cannot (read|process)) (the |an |this |input |any )?images?
  unknown variant \x60?image|(support|accept)s? (at most \d+ )?(image|vision|multimodal)
  (not|n't) (support|accept|have|process|handle) (image|vision|multimodal|visual)
  (not|no|without) (a )?(vision|multimodal)|image (input|content|part)s?.{0,40}(not|no )|mmproj|required for image
  mime type:? image|image_url.{0,60}(not|only|invalid|unsupported|expected)|content\.type.{0,40}\['text'\]
  only.{0,10}'?text'?.{0,20}content type
`;

/** A tool definition is refused. */
export const SCHEMA = phrases`
  (invalid|unsupported|bad|malformed).{0,20}(json )?schema
  schema.{0,60}(is )?(invalid|not (valid|supported)|unsupported|missing)
  (parse|compile|convert|initialize|build|generate).{0,30}(grammar|samplers|schema)
  grammar.{0,30}(error|fail|invalid|not)|not a valid .{0,30}schema
  unknown name .{0,60}(tools|function_declarations|parameters)
  (input_schema|function_declarations|tools?\[?\.?\d*\]?.{0,30}parameters).{0,120}(required|must|invalid|should|missing|unknown|not)
  unrecognized schema|json_schema_to_grammar|function_declarations\[|input_schema|tool schema|unresolved \$ref
  unsupported keyword
`;

/** A parameter is refused. */
export const PARAMETER = phrases`
  (unknown|unsupported|unrecogni[sz]ed|unexpected|invalid|additional|extra) (request )?(parameter|argument|field|name|keyword|propert(y|ies)|inputs?)
  extra inputs are not permitted
  (parameter|argument|property|field|option)s?\b.{0,60}(not (currently )?(supported|permitted|allowed|recogni[sz]ed)|unsupported|unknown)
  unsupported value|does not support (tools|function|tool|parallel|reasoning|thinking|temperature|the)
  not (currently )?supported (with|on|by|for) this model|tool choice requires|is not currently supported
  (param(eter)?s?\.?\w*|enable_thinking|temperature|top_p|stream_options) must be (set|one)|got an unexpected keyword
  unknown name|extraneous key|cannot both be (specified|set)|deprecated for this model|is allowed for this model
  (does|do) not support param|\w_\w+ (is|are) not supported|invalid (temperature|top_p|top_k|seed|n|reasoning_effort)\b
  param requires
`;

/** The prompt is too long and nothing else can be meant, so it is believed whatever we had counted ourselves. */
export const TOO_LONG = phrases`
  (prompt|inputs?|messages?|conversation|history|text|chat|transcript|context)( tokens?| length| size| content)?( (is|are|was|were|has become))? (far |much )?too (long|large|big)\b
  (prompt|inputs?|messages?|request|conversation|context|tokens?)\b.{0,60}(exceed(s|ed|ing)?|longer than|larger than|greater than|more than|is over|overflows?|beyond|does not fit|do not fit|doesn't fit|don't fit|cannot fit).{0,60}(context|tokens?\b|max(imum)?( allowed)?( input| prompt| model| sequence)? (length|len)\b|max_\w*(len|tokens)|input limit|model'?s? (limit|maximum))
  (exceed(s|ed|ing)?|reached|over|beyond|out of|ran out of|full|surpass(es|ed)).{0,40}context.?(length|window|size|limit)
  context.?(length|window|size|limit|overflow).{0,30}(exceed(s|ed)?|reached|overflow(s|ed)?|is full|ran out|too (small|long))
  kv cache (is )?full|context (window )?(is )?full|total message size|context shift is disabled|context overflow|too many (input|prompt) tokens|prompt has too many tokens|max(imum)? tokens of \d+ exceeded
  maxlength: \d+, actual|(?<!(image|audio|video|file|url|data)\S{0,20})string too long.{0,40}maximum length \d{5}|tokens?[_ ]too[_ ]long|(input|prompt|message) tokens? (count )?(exceeds?|is over|cannot exceed)|max(imum)? input (characters|length|tokens)
  (token|context|prompt|input|sequence|message)s?.{0,12}(limit|length|size|window|count).{0,30}(exceed|reached|full|too (long|large|big))
  too many tokens(?!.{0,40}(wait|per |retry|try again))|tokens in request more than
  maximum context length|context.?length of only|larger context (length|window|size)
  (上下文|输入|提示词?|内容|prompt|消息|文本|对话).{0,8}(过长|超长|太长|超限|超出|超过)|超过.{0,20}(上下文|长度|最大|token|上限)|token.{0,6}(超过|超出|超限)|精简输入|缩短输入
  range of input length|トークン数.{0,20}超え|長すぎ|コンテキスト長|너무 (깁니다|길)|컨텍스트.{0,12}초과|слишком длинн|zu lang\b|kontext(länge|fenster|größe)?.{0,30}überschr|überschr\w+.{0,40}kontext|trop long|dépass\w+.{0,40}(contexte|jetons)|demasiado larg|muito long
`;

/** What leaving out messages makes smaller, words for more than there may be of it, and for how it is measured: together in one sentence. */
export const SENT = phrases`
  prompt|\binputs?\b|messages?\b|conversation|history|\bchat\b|transcript|context|sequence|\btokens?\b|\brequest\b|turns\b
  输入|对话|内容|消息|提示|请求|上下文|入力|プロンプト|コンテキスト|トークン|リクエスト|会話|メッセージ
  requête|jetons?\b|entrée|contexte|eingabe|anfrage|nachricht|kontext|gespräch|verlauf|entrada|mensaje|mensagem|запрос|контекст|입력|컨텍스트
`;
export const EXCESS = phrases`
  exceed|surpass|overflow|too (long|large|big|many|much)|\bover (the|its|our|your|what)\b|\babove\b|\bbeyond\b|\bpast\b|out of range|range of|\b(is|now) full\b|ran out of|more \w+ than
  (longer|larger|greater|bigger|more) than|(not|n't|never|longer|cannot) fit|no room|amounts? to|\b\d[\d,]* of \d
  (shorten|reduce|trim|truncate|split|send less|use a shorter)|(delete|remove|drop) (older|earlier|some)|new (chat|conversation)|(prompt|input|request) needs
  大于|超[过出限长]|过[长多大]|太[长多大]|减少|删减|缩短|超え|超過|すぎ
  dépass|trop (long|grand|volumin)|überschr|übersteig|zu (lang|groß|viel)|länger als|größer als|reicht nicht|kürzen|excede|supera|demasiad|excessiv|превыш|слишком|초과
`;
export const SIZE = phrases`
  token|context|length|\blong|(larger|bigger) than|too (large|big|much)|\btext\b|window|\bsize|limit|maxim|\bmax\b|capacity|\bfit|room|\bcells|at once|one go|memory|volumin
  长度|上下文|上限|限制|最[大多长]|过长|太长|コンテキスト|トークン|上限|最大|長
  jeton|contexte|longueur|maxim|kontext|läng|lang\b|fenster|größ|máxim|contexto|límite|длин|контекст|길이|컨텍스트
`;
/** What else is counted in a request: leaving out messages would not mend it. */
export const NOT_SENT = phrases`
  \btools?\b(?!.{0,40}tokens?)|function|image|audio|video|\bfiles?\b|pixel|\bstop\b|sequences\b|temperature|top_\w|logprobs|\bchoices|metadata|schema|propert|\benum|header|cookie|\burl\b|\buri\b|description|\bnames?\b|\bids?\b|must (start|end|begin|alternate)|role|integer|\bbetween\b|time_?limit
`;

/** Money that is spoken of beside tokens. */
export const MONEY = phrases`
  over budget|exceeded.?(token.?)?budget|budget (has been )?exceeded|\bcredits?\b|\bbalance\b|billing|can (only )?afford
`;

/** Too long, but of a name, an id, a list or a header: nothing that leaving out messages would mend. */
export const SHORT_FIELD = phrases`
  (string(?!.{0,60}maximum length \d{5})|array|name|id|stop|title|description|header|uri|url|value|key|list|label|identifier|member)['"]? (is )?too long|must have length|maximum length \d{1,4},|request.?uri
  thinking.?budget|budget_tokens|cache_control|too small|(must|should|needs?|has|have|requires?|expected)\b.{0,40}at least|below minimum|non-?empty|is empty|cannot be empty|repetitions|logprobs
`;

/** No such model there. */
export const MODEL = phrases`
  (model|deployment|engine|checkpoint).{0,80}(not (be )?(found|exist|support|available|deployed|recogni[sz]ed|valid|loaded)|n't (exist|support)|does not exist|not supported|unsupported|decommissioned|deprecated|retired|end of (its )?life|no longer|is unknown|unavailable|not a valid|has been (removed|shut))
  (unknown|invalid|unsupported|no such|not found the|unable to access|cannot find|could not find|couldn't find|unrecognized) (the )?(publisher )?model
  no endpoints? (found|available)|invalid model|无可用渠道|模型.{0,20}(不存在|不支持|未)|not found for account
  model.{0,20}(id|name).{0,20}(invalid|incorrect)|publisher model|^model: \S+$|different model
  no models? (is |are )?(currently )?(loaded|available)|not a valid model|inference profile|not a chat model
  model.{0,60}(only (supported|available)|not accessible)
`;

/** The key is wrong, old or missing. */
export const AUTH = phrases`
  (invalid|incorrect|expired|missing|no|revoked|bad|unrecognized|wrong|malformed).{0,20}(api|access|subscription|auth\w*|secret|security)?.{0,3}(key|(?<!max_|max |output_|completion_)token|credential|bearer|authentication|username|authorization)s?\b
  (key|(?<!max_|max |output_|completion_)token|credential)s?.{0,40}(invalid|incorrect|expired|not valid|revoked|is missing|not found in|not provided)
  authentication (fail|error|token|required)|unauthorized|unauthenticated|login fail|authori[sz]ation failed
  not logged in|please (sign|log) ?in|身份|令牌|已过期|密钥|api.?key (is|was|not)
`;

/** No such address. */
export const ENDPOINT = phrases`
  ^(404 )?(page )?not[_ ]found|no route|cannot (post|get)|requested url|404 not[_ ]found|invalid url
  unknown (endpoint|url|path|request url)|nothing (here|at)|method not allowed|no static resource
  unrecognized request url
`;

/** Too many bytes. */
export const PAYLOAD = phrases`
  payload size|(payload|attachment|file|upload)s? (is |are )?too (large|big)|(image|audio|video|file|url|data)\S*'?: string too long|(number|maximum).{0,20} pages|\d pages? but|too many (files|pages|documents|attachments)|(video|audio|clip|recording) (file )?is too (long|large)|base64.{0,20}exceeds|max(imum)?( of \d+)? (bytes|pdf|pages)|pdf pages|bytes per|content size limit|(request|body|upload|file).{0,40}(exceeds?|larger|too large|over).{0,40}(bytes|\b[km]b\b|size)
  request (body|entity|payload)? ?too large|maximum (allowed )?(number of bytes|request size|payload)
  \d bytes.{0,20}(limit|max)
`;

/** Somebody behind the host was too slow. */
export const TIMEOUT = phrases`
  timed? ?out|time-?out|deadline (exceeded|expired)|took too long|zeitüberschreitung
`;

/** The conversation itself is malformed. */
export const TRANSCRIPT = phrases`
  tool_use.{0,40}ids?|tool_result|tool_call_id|roles? must alternate|must alternate|non-empty|no tool output
  previous response|last role|turn comes|no user query|at least one message|content (field )?is (required|empty)
  messages? (parameter|参数)|must be followed by tool|messages with role|header or cookie
`;

/** Words that say nothing. */
export const HOLLOW =
  /^\W*(error|bad ?request|invalid request|unknown( error)?|none|null|failed|400|error 400|400 bad request|bad request error|\{?\}?)?\W*$/;
